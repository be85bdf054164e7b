---
description: How many customers went from one tier to another, by month
materialization: table
columns:
  - name: month
    tests: [not_null]
  - name: customers
    tests: [not_null]
---
WITH steps AS (
    SELECT
        customer_id,
        valid_from,
        tier AS to_tier,
        LAG(tier) OVER versions AS from_tier,
        LAG(valid_to) OVER versions AS left_at
    FROM smelt.customer_history
    WINDOW versions AS (PARTITION BY customer_id ORDER BY valid_from)
)
SELECT
    CAST(date_trunc('month', valid_from) AS DATE) AS month,
    from_tier,
    to_tier,
    count(DISTINCT customer_id) AS customers
FROM steps
WHERE left_at = valid_from AND from_tier <> to_tier
GROUP BY ALL
ORDER BY ALL
