---
materialization: view
columns:
  - {name: customer_id, tests: [not_null, unique]}
---
SELECT customer_id, tier, region, valid_from AS since
FROM smelt.customer_history
WHERE is_current
