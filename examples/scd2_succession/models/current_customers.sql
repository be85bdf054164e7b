---
description: The customers of today, each in the version in force
materialization: view
tags: [core]
columns:
  - name: customer_id
    tests: [not_null, unique]
  - name: tier
    tests:
      - not_null
      - relationships: {to: smelt.tiers, field: tier}
  - name: region
    tests:
      - accepted_values: [emea, amer, apac]
---
SELECT history.customer_id, history.tier, tiers.monthly_fee, history.region, history.valid_from AS since
FROM smelt.customer_history AS history
JOIN smelt.tiers AS tiers ON tiers.tier = history.tier
WHERE history.is_current
