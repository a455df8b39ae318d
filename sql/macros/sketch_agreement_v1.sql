-- Estimated Jaccard similarity of two MinHash signatures: share of positions that agree.
CREATE OR REPLACE MACRO sketch_agreement_v1(a, b) AS
    CAST(len(list_filter(list_zip(a, b), lambda pair: pair[1] = pair[2])) AS DOUBLE)
    / nullif(len(a), 0);
