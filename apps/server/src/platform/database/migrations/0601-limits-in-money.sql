-- The own limit is one of money, in cents of USD: minutes, messages and gift cards count. The smallest pack costs about a
-- dollar a minute.
alter table spending_limits
  alter column daily_minutes type units using daily_minutes::bigint * 100,
  alter column next_minutes type units using next_minutes::bigint * 100;
alter table spending_limits rename column daily_minutes to daily_usd;
alter table spending_limits rename column next_minutes to next_usd;
alter table spending_limits rename constraint spending_limits_daily_minutes_check to spending_limits_daily_usd_check;
alter table spending_limits rename constraint spending_limits_next_minutes_check to spending_limits_next_usd_check;
