---
description: The offset in force at this moment, zone by zone
materialization: view
columns:
  - name: zone
    tests: [not_null, unique]
  - name: utc_offset_seconds
    tests: [not_null]
---
SELECT zone, abbreviation, utc_offset_seconds, is_dst, valid_to AS until
FROM smelt.zone_validity
WHERE valid_from <= now()::TIMESTAMP AND (valid_to IS NULL OR valid_to > now()::TIMESTAMP)
