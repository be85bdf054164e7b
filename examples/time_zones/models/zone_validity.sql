---
description: What each zone's clock showed, and from when until when
refresh: incremental
grain: succession
---
SELECT
    zone,
    at_utc AS valid_from,
    LEAD(at_utc) OVER changes AS valid_to,
    utc_offset_seconds,
    abbreviation,
    is_dst,
    LEAD(at_utc) OVER changes - at_utc AS lasts,
    LAG(at_utc) OVER changes IS NULL AS is_first
FROM smelt.sources.zone_transitions
WINDOW changes AS (PARTITION BY zone ORDER BY at_utc)
