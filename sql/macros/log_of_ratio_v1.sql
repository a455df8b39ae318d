-- ln(value / base) where change = (value - base) / base is known to more digits than value / base:
-- ln(1 + change) without cancellation (Higham, Accuracy and Stability, 1.14.1) for small changes.
CREATE OR REPLACE MACRO log_of_ratio_v1(ratio, change) AS
    list_transform(
        [struct_pack(ratio := CAST(ratio AS DOUBLE), change := CAST(change AS DOUBLE))],
        lambda given_: CASE
            WHEN abs(given_.change) >= CAST(0.5 AS DOUBLE) THEN ln(given_.ratio)
            WHEN 1 + given_.change = 1 THEN given_.change
            ELSE ln(1 + given_.change) * given_.change / ((1 + given_.change) - 1)
        END
    )[1];
