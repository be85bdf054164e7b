---
description: The table as it stands in the shop's database
materialization: view
columns:
  - name: customer_id
    tests: [not_null, unique]
  - name: tier
    tests:
      - accepted_values: [bronze, silver, gold]
---
SELECT customer_id, name, email, tier, registered_at
FROM smelt.customers_history
WHERE is_current
