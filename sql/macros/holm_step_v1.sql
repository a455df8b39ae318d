-- Window, first step of Holm's correction (Holm 1979): p times the number of p values of family g
-- that are not smaller. holm_adjusted_v1 takes it on. NULL stays NULL and does not count.
CREATE OR REPLACE MACRO holm_step_v1(p, g) AS
p * (
    count(p) OVER (PARTITION BY g) - rank() OVER (PARTITION BY g ORDER BY p ASC NULLS LAST) + 1
);
