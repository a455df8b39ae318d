-- Two-sided p of the coefficient of that name among those of correlations_v1: Student's t, for
-- kendall kendall_p_v1.
CREATE OR REPLACE MACRO correlation_value_p_v1(name, given) AS
CASE
    WHEN name = 'kendall' THEN struct_extract(given, 'kendall_p')
    ELSE correlation_p_v1(correlation_value_v1(name, given), struct_extract(given, 'n') - 2)
END;
