---
description: Every version of every customer of the shop
refresh: incremental
---
-- The filter drops the tombstones (they carry nothing), and proves that the key and the clock are never NULL.
SELECT
    customer_id,
    name,
    email,
    tier,
    registered_at,
    changed_at AS valid_from,
    LEAD(changed_at) OVER versions AS valid_to,
    valid_to IS NULL AS is_current
FROM smelt.sources.customers
WHERE customer_id IS NOT NULL AND changed_at IS NOT NULL
WINDOW versions AS (PARTITION BY customer_id ORDER BY changed_at)
QUALIFY NOT is_deleted
