-- The coefficient of that name (pearson, spearman, kendall) among those of correlations_v1 or
-- list_correlations_v1.
CREATE OR REPLACE MACRO correlation_value_v1(name, given) AS
CASE
    WHEN name = 'pearson' THEN struct_extract(given, 'pearson')
    WHEN name = 'spearman' THEN struct_extract(given, 'spearman')
    WHEN name = 'kendall' THEN struct_extract(given, 'kendall')
END;
