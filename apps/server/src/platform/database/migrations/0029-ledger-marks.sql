-- The nightly check must not read the whole journal. Every transfer up to the mark is part of `verified_balances`; a check
-- adds the transfers since then, and compares. Transfers are never changed, so that a verified sum stays right.
create table ledger_mark (
  one boolean primary key default true check (one),
  transfer_id bigint not null,
  moved_at timestamptz not null
);
insert into ledger_mark (transfer_id, moved_at) values (0, '1970-01-01T00:00:00Z');

create table verified_balances (
  account_id account_number primary key,
  balance units not null
);

-- Ids rise with the place of their rows, so that a summary of each range of pages finds the newest ones.
create index transfers_id on transfers using brin (id) with (pages_per_range = 32, autosummarize = on);
-- The pages of an account and the answer to "what did this call cost". Rows of house accounts are read by their ids.
create index transfers_debit on transfers (debit_id, id) where debit_id > 0;
create index transfers_credit on transfers (credit_id, id) where credit_id > 0;
create index transfers_cause on transfers (cause_id) where cause_id is not null;
create index transfers_hold on transfers (hold_id) where hold_id is not null;
create index hold_steps_hold on hold_steps (hold_id);
create index holds_closed on holds (closed_at) where closed_at is not null;

-- Moves the mark to `up_to`, by `most` transfers at most, and returns it. The caller knows that every transaction which
-- drew a transfer id up to there has ended.
create function ledger_advance_mark(up_to bigint, most bigint, happened_at timestamptz) returns bigint language plpgsql as $$
declare
  verified bigint := (select transfer_id from ledger_mark for update);
  target bigint := least(up_to, verified + most);
begin
  if target <= verified then return verified; end if;
  insert into verified_balances as v (account_id, balance)
  select account_id, sum(change)::bigint from (
    select t.debit_id as account_id, -t.amount::numeric as change from transfers t where t.id > verified and t.id <= target
    union all
    select t.credit_id, t.amount from transfers t where t.id > verified and t.id <= target
  ) changes group by account_id
  on conflict (account_id) do update set balance = v.balance + excluded.balance;
  update ledger_mark set transfer_id = target, moved_at = happened_at;
  return target;
end $$;

-- Forgets what was verified: the next check reads the journal from its first transfer.
create function ledger_reset_mark() returns void language plpgsql as $$
begin
  perform from ledger_mark for update;
  delete from verified_balances;
  update ledger_mark set transfer_id = 0, moved_at = '1970-01-01T00:00:00Z';
end $$;

-- The contradictions of ledger_differences() that can be seen without the verified part of the journal: all accounts, the
-- holds that are open or closed since `closed_since`, the transfers above `since_id`.
create function ledger_recent_differences(since_id bigint, closed_since timestamptz, most integer)
returns table (law text, account_id bigint, asset text, expected text, found text) language plpgsql stable as $$
#variable_conflict use_column
declare
  -- A variable, so that the plan is made for its value: few transfers are above it.
  verified bigint := (select transfer_id from ledger_mark);
begin
  return query with moved as (
    select id, sum(change) as balance from (
      select v.account_id as id, v.balance::numeric as change from verified_balances v
      union all
      select t.debit_id, -t.amount from transfers t where t.id > verified
      union all
      select t.credit_id, t.amount from transfers t where t.id > verified
    ) changes group by id
  ), open_holds as (
    select h.account_id as id, sum(held) as held from holds h where state = 'open' group by h.account_id
  ), checked as materialized (
    select h.id, h.account_id, h.asset, h.held, h.posted from holds h where h.state = 'open'
    union all
    select h.id, h.account_id, h.asset, h.held, h.posted from holds h where h.closed_at >= closed_since
  ), stepped as (
    select s.hold_id as id, sum(s.change) as held from hold_steps s where s.hold_id in (select id from checked) group by s.hold_id
  ), posted as (
    select t.hold_id as id, sum(t.amount) as posted from transfers t where t.hold_id in (select id from checked) group by t.hold_id
  )
  (select 'balance is its transfers', id, coalesce(a.asset, ledger_asset(id)), coalesce(m.balance, 0)::text, coalesce(a.balance, 0)::text
    from accounts a full join moved m using (id) where coalesce(a.balance, 0) <> coalesce(m.balance, 0) limit most)
  union all
  (select 'held is its open holds', id, a.asset, coalesce(h.held, 0)::text, coalesce(a.held, 0)::text
    from accounts a full join open_holds h using (id) where coalesce(a.held, 0) <> coalesce(h.held, 0) limit most)
  union all
  (select 'an asset sums to zero', null, a.asset, '0', sum(a.balance)::text from accounts a group by a.asset having sum(a.balance) <> 0)
  union all
  (select 'nobody owes', a.id, a.asset, a.held::text, a.balance::text
    from accounts a where a.id > 0 and (a.balance < a.held or a.held < 0) limit most)
  union all
  (select 'a hold is its steps', c.account_id, c.asset, coalesce(s.held, 0)::text, c.held::text
    from checked c left join stepped s using (id) where c.held <> coalesce(s.held, 0) limit most)
  union all
  (select 'a hold posted its transfers', c.account_id, c.asset, coalesce(p.posted, 0)::text, c.posted::text
    from checked c left join posted p using (id) where c.posted <> coalesce(p.posted, 0) limit most)
  union all
  (select 'a key moves once', t.debit_id, t.asset, '1', '0'
    from transfers t left join transfer_keys k using (key) where t.id > since_id and k.key is null limit most);
end $$;

-- Sets the balance of one account to the sum of its transfers and its held amount to that of its open holds; true when it
-- was wrong. Only movements of this account wait. Every statement sees what the former holders of the lock committed.
create function ledger_correct(account bigint) returns boolean language plpgsql as $$
declare
  verified bigint;
  true_balance bigint;
  true_held bigint;
begin
  perform ledger_lock(array[account]);
  verified := (select transfer_id from ledger_mark);
  true_balance := coalesce((select balance from verified_balances where account_id = account), 0)
    + coalesce((select sum(amount) from transfers where credit_id = account and id > verified), 0)
    - coalesce((select sum(amount) from transfers where debit_id = account and id > verified), 0);
  true_held := coalesce((select sum(held) from holds where account_id = account and state = 'open'), 0);
  update accounts set balance = true_balance, held = true_held
  where id = account and (balance, held) is distinct from (true_balance, true_held);
  return found;
end $$;

-- It locked all accounts while it read the whole journal.
drop function ledger_rebuild();
