-- Raw leaf score -> scale of the tree node (SPEC 4, Table 10): identity; steps = pairs of upper
-- bound and value, at most five; affine = (a, b) for a * x + b; clamp_affine = (low, high, a, b).
-- NULL stays NULL on every path: least() and greatest() alone would turn it into a bound.
CREATE OR REPLACE MACRO map_score_v1(score, map_name, map_args) AS
CASE
    WHEN score IS NULL THEN NULL
    WHEN map_name = 'identity' THEN score
    WHEN map_name = 'affine' THEN map_args[1] * score + map_args[2]
    WHEN map_name = 'clamp_affine'
        THEN map_args[3] * least(greatest(score, map_args[1]), map_args[2]) + map_args[4]
    WHEN map_name = 'steps' AND score <= map_args[1] THEN map_args[2]
    WHEN map_name = 'steps' AND score <= map_args[3] THEN map_args[4]
    WHEN map_name = 'steps' AND score <= map_args[5] THEN map_args[6]
    WHEN map_name = 'steps' AND score <= map_args[7] THEN map_args[8]
    WHEN map_name = 'steps' AND score <= map_args[9] THEN map_args[10]
END;
