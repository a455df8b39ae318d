-- Two prompts of a task or two parsers are current: run make score, it loads them again.
SELECT
    concat('prompt ', prompt.task, ' ', prompt.lang) AS what,
    count(*) AS n
FROM judge.prompt AS prompt
WHERE prompt.is_current
GROUP BY
    prompt.task,
    prompt.lang,
    CASE WHEN prompt.task <> 'negotiate' THEN prompt.has_reference END
HAVING count(*) > 1
UNION ALL
SELECT
    'parser' AS what,
    count(*) AS n
FROM judge.parser AS parser
WHERE parser.is_current
HAVING count(*) > 1;
