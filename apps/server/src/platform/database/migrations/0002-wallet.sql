-- The ledger (docs/rules.md). Balances change in ledger_apply() and nowhere else.
--
-- An account is identified by its number alone, so that writing a transfer needs no lookup:
--   a user's account        user_id * 8 + asset, positive
--   a row of a house account  -(house * 8 + asset + 1) * 64 + row, negative, 64 rows each
-- `asset` and `house` are the positions in the two lists below; new names are added at their ends.

create function ledger_asset(account_id bigint) returns text language sql immutable parallel safe return
  (array['diamond', 'message', 'coin', 'usd', 'usdt'])[
    1 + ((case when account_id > 0 then account_id else -(account_id >> 6) - 1 end) & 7)];

create function ledger_house(account_id bigint) returns text language sql immutable parallel safe return
  (array['sales', 'conversion', 'promotion', 'referral', 'gift_margin', 'withdrawals_pending',
         'payouts', 'fees', 'penalties', 'expired', 'refunds'])[1 + ((-(account_id >> 6) - 1) >> 3)];

-- The account that a row belongs to: the user's own, or the house account, for any of its rows.
create function ledger_party(account_id bigint) returns bigint language sql immutable parallel safe return
  case when account_id > 0 then account_id else account_id >> 6 end;

create table accounts (
  id account_number primary key,
  user_id bigint generated always as (case when id > 0 then id >> 3 end) stored,
  house text generated always as (case when id < 0 then ledger_house(id) end) stored,
  asset text not null generated always as (ledger_asset(id)) stored,
  balance units not null default 0,
  held units not null default 0,
  constraint accounts_one_owner check (num_nonnulls(user_id, house) = 1),
  constraint accounts_no_overdraft check (balance >= 0 or id < 0),
  constraint accounts_hold_covered check (held >= 0 and (held <= balance or id < 0))
) with (fillfactor = 60);

-- Without a foreign key to accounts: it would lock two more rows for each transfer, and only ledger_apply() writes here.
create sequence transfer_ids;
create table transfers (
  id bigint not null default nextval('transfer_ids'),
  at timestamptz not null,
  debit_id account_number not null,
  credit_id account_number not null,
  amount units not null,
  hold_id bigint,
  cause_id bigint,
  asset text not null,
  what text not null,
  cause text not null,
  key text collate "C" not null,
  note text,
  constraint transfers_move_something check (amount > 0 and ledger_party(debit_id) <> ledger_party(credit_id)),
  constraint transfers_in_one_asset check (asset = ledger_asset(debit_id) and asset = ledger_asset(credit_id)),
  constraint transfers_short check (length(key) <= 200 and length(what) <= 40 and length(cause) <= 40 and length(note) <= 1000)
) partition by range (at);
create table transfers_default partition of transfers default;

-- A key moves money once, also when it is repeated in a later month; a unique index of a partition covers only its month.
-- `asked` is the digest of the movement, so that a repeat is compared without reading its row.
create table transfer_keys (
  key text collate "C" constraint transfers_once primary key,
  asked bytea not null
);

create table holds (
  id bigint generated always as identity primary key,
  account_id account_number not null,
  asset text not null,
  held units not null,
  posted units not null default 0,
  state text not null default 'open',
  what text not null,
  cause text not null,
  cause_id bigint,
  opened_at timestamptz not null,
  closed_at timestamptz,
  constraint holds_state check (state in ('open', 'posted', 'voided')),
  constraint holds_amounts check (posted >= 0 and held >= 0 and (held > 0) = (state = 'open') and (posted = 0 or state <> 'voided'))
);
create index holds_open on holds (account_id) where state = 'open';

-- Every change of a hold with its answer: a repeated step returns the same answer, and holds can be rebuilt.
create table hold_steps (
  key text collate "C" not null,
  hold_id bigint not null,
  change units not null,
  asked jsonb not null,
  answer jsonb not null,
  at timestamptz not null,
  constraint hold_steps_short check (length(key) <= 200)
) partition by range (at);
create index hold_steps_key on hold_steps (key);
create table hold_steps_default partition of hold_steps default;

-- A step happens once, also when its key is repeated in a later month. `at` finds the partition of its row.
create table hold_step_keys (
  key text collate "C" constraint hold_steps_once primary key,
  at timestamptz not null
);

-- new_balance_info is sent again after each connect until the client confirms it by NEW_BALANCE_INFO_GOT.
create table balance_notices (
  id bigint generated always as identity primary key,
  user_id bigint not null,
  reason text not null,
  told_at timestamptz not null,
  got_at timestamptz
);
create index balance_notices_waiting on balance_notices (user_id) where got_at is null;
create index balance_notices_told on balance_notices using brin (told_at);

select guard_append_only(name) from unnest(array[
  'transfers', 'transfers_default', 'transfer_keys', 'hold_steps', 'hold_steps_default', 'hold_step_keys']) name;
create trigger holds_stay before delete or truncate on holds for each statement execute function refuse_change();
create trigger accounts_stay before delete or truncate on accounts for each statement execute function refuse_change();

create function ledger_hold_changes() returns trigger language plpgsql as $$
begin
  if old.state <> 'open' or new.posted < old.posted
    or (new.id, new.account_id, new.asset, new.opened_at) is distinct from (old.id, old.account_id, old.asset, old.opened_at) then
    raise exception 'hold % is closed once and keeps its account', old.id using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
create trigger holds_close_once before update on holds for each row execute function ledger_hold_changes();

-- One step of a group (`g`) of linked steps. move: moves amount from debit to credit. open: holds amount of debit, or its
-- largest available multiple of `unit`. post: moves amount from a hold to credit, then holds at most `keep`, or closes it.
create type ledger_step as (
  g integer, op text, key text, debit bigint, credit bigint, amount bigint, unit bigint, hold_id bigint, keep bigint,
  what text, cause text, cause_id bigint, note text
);

-- All transactions lock in the order of the account numbers, so that they cannot deadlock.
create function ledger_lock(wanted bigint[]) returns void language plpgsql as $$
declare
  locked integer;
begin
  perform from accounts where id = any (wanted) order by id for no key update;
  get diagnostics locked = row_count;
  if locked < cardinality(wanted) then
    insert into accounts (id) select id from unnest(wanted) id order by id on conflict do nothing;
    perform from accounts where id = any (wanted) order by id for no key update;
  end if;
end $$;

create function ledger_missing(account_id bigint, wanted bigint) returns void language plpgsql as $$
declare
  available bigint := (select balance - held from accounts where id = account_id);
begin
  raise exception 'not enough balance' using errcode = 'DL301', detail = jsonb_build_object('missing', (wanted - available)::text, 'asset', ledger_asset(account_id));
end $$;

create function ledger_movement_digest(s ledger_step) returns bytea language sql stable return
  sha256(convert_to(
    row(ledger_party(s.debit), ledger_party(s.credit), s.amount, s.hold_id, s.what, s.cause, s.cause_id, s.note)::text, 'UTF8'));

create function ledger_pay(s ledger_step, happened_at timestamptz) returns void language plpgsql as $$
begin
  update accounts set balance = balance - s.amount where id = s.debit and (id < 0 or balance - held >= s.amount);
  if not found then perform ledger_missing(s.debit, s.amount); end if;
  update accounts set balance = balance + s.amount where id = s.credit;
  insert into transfer_keys (key, asked) values (s.key, ledger_movement_digest(s));
  insert into transfers (at, debit_id, credit_id, amount, hold_id, cause_id, asset, what, cause, key, note)
  values (happened_at, s.debit, s.credit, s.amount, s.hold_id, s.cause_id, ledger_asset(s.debit), s.what, s.cause, s.key, s.note);
end $$;

-- True when this movement was made before; refuses a key that belongs to another movement.
create function ledger_moved(s ledger_step) returns boolean language plpgsql as $$
declare
  earlier bytea := (select asked from transfer_keys where key = s.key);
begin
  if earlier is null then return false; end if;
  if earlier <> ledger_movement_digest(s) then raise exception 'key % names another movement', s.key using errcode = 'DL900'; end if;
  return true;
end $$;

create function ledger_asked(s ledger_step) returns jsonb language sql immutable return
  jsonb_strip_nulls(to_jsonb(s) - 'g' || jsonb_build_object('credit', ledger_party(s.credit)));

-- The answer of an earlier step with this key; refuses a key that belongs to another step.
create function ledger_stepped(s ledger_step) returns jsonb language plpgsql as $$
declare
  earlier_at timestamptz := (select at from hold_step_keys where key = s.key);
  earlier hold_steps;
begin
  if earlier_at is null then return null; end if;
  select * into strict earlier from hold_steps where key = s.key and at = earlier_at;
  if earlier.asked <> ledger_asked(s) then raise exception 'key % names another step', s.key using errcode = 'DL900'; end if;
  return earlier.answer;
end $$;

create function ledger_add_step(s ledger_step, hold_id bigint, change bigint, answer jsonb, happened_at timestamptz) returns void
language plpgsql as $$
begin
  insert into hold_step_keys (key, at) values (s.key, happened_at);
  insert into hold_steps (key, hold_id, change, asked, answer, at) values (s.key, hold_id, change, ledger_asked(s), answer, happened_at);
end $$;

-- The largest part of `wanted` that is available, in multiples of `unit`.
create function ledger_affordable(account_id bigint, wanted bigint, unit bigint) returns bigint language sql as $$
  select least(wanted, balance - held) / unit * unit from accounts where id = account_id
$$;

create function ledger_open(s ledger_step, happened_at timestamptz) returns jsonb language plpgsql as $$
declare
  affordable bigint := ledger_affordable(s.debit, s.amount, coalesce(s.unit, s.amount));
  opened bigint;
  answer jsonb;
begin
  if affordable = 0 then perform ledger_missing(s.debit, coalesce(s.unit, s.amount)); end if;
  insert into holds (account_id, asset, held, what, cause, cause_id, opened_at)
  values (s.debit, ledger_asset(s.debit), affordable, s.what, s.cause, s.cause_id, happened_at)
  returning id into opened;
  update accounts set held = held + affordable where id = s.debit;
  answer := jsonb_build_object('hold_id', opened, 'posted', '0', 'held', affordable::text);
  perform ledger_add_step(s, opened, affordable, answer, happened_at);
  return answer;
end $$;

create function ledger_post(s ledger_step, happened_at timestamptz) returns jsonb language plpgsql as $$
declare
  hold holds;
  kept bigint := 0;
  answer jsonb;
begin
  select * into hold from holds where id = s.hold_id for update;
  if hold.state is distinct from 'open' then raise exception 'hold % is not open', s.hold_id using errcode = 'DL001'; end if;
  if s.amount > hold.held then raise exception 'hold % has less than %', s.hold_id, s.amount using errcode = 'DL002'; end if;
  update accounts set held = held - hold.held where id = hold.account_id;
  if s.amount > 0 then perform ledger_pay(s, happened_at); end if;
  if s.keep > 0 then kept := ledger_affordable(hold.account_id, s.keep, coalesce(s.unit, 1)); end if;
  if kept > 0 then update accounts set held = held + kept where id = hold.account_id; end if;
  update holds set
    held = kept,
    posted = posted + s.amount,
    state = case when kept > 0 then 'open' when posted + s.amount > 0 then 'posted' else 'voided' end,
    closed_at = case when kept = 0 then happened_at end
  where id = hold.id;
  answer := jsonb_build_object('hold_id', hold.id, 'posted', s.amount::text, 'held', kept::text);
  perform ledger_add_step(s, hold.id, kept - hold.held, answer, happened_at);
  return answer;
end $$;

-- Applies one group step by step: completely or, by an exception, not at all.
create function ledger_apply_group(steps ledger_step[], happened_at timestamptz) returns jsonb language plpgsql as $$
declare
  s ledger_step;
  answer jsonb;
  answers jsonb := '[]';
  repeated integer := 0;
begin
  foreach s in array steps loop
    if s.op = 'move' then
      answer := 'null';
      if ledger_moved(s) then repeated := repeated + 1; else perform ledger_pay(s, happened_at); end if;
    else
      answer := ledger_stepped(s);
      if answer is not null then repeated := repeated + 1;
      elsif s.op = 'open' then answer := ledger_open(s, happened_at);
      else answer := ledger_post(s, happened_at);
      end if;
    end if;
    answers := answers || jsonb_build_array(answer);
  end loop;
  if repeated not in (0, cardinality(steps)) then raise exception 'only a part of the group was made before' using errcode = 'DL900'; end if;
  return jsonb_build_object('outcome', case when repeated > 0 then 'repeated' else 'applied' end, 'answers', answers);
end $$;

create function ledger_try_group(steps ledger_step[], happened_at timestamptz) returns jsonb language plpgsql as $$
declare
  missing text;
begin
  for attempt in 1..2 loop
    begin
      return ledger_apply_group(steps, happened_at);
    exception
      -- A concurrent transaction wrote the same key: it is committed now, so the second attempt can read it.
      when unique_violation then continue;
      when sqlstate 'DL301' then
        get stacked diagnostics missing = pg_exception_detail;
        return jsonb_build_object('outcome', 'no_balance') || missing::jsonb;
      when sqlstate 'DL900' then return jsonb_build_object('outcome', 'key_reused');
      when sqlstate 'DL001' then return jsonb_build_object('outcome', 'hold_closed');
      when sqlstate 'DL002' then return jsonb_build_object('outcome', 'over_hold');
    end;
  end loop;
  return jsonb_build_object('outcome', 'key_reused');
end $$;

-- The groups that must be applied one by one: steps of holds, keys used before, and accounts that may not cover all their movements.
create function ledger_doubtful(steps ledger_step[]) returns integer[] language sql as $$
  select array_agg(distinct g) from (
    select g from unnest(steps) where op <> 'move'
    union all
    select s.g from unnest(steps) s join transfer_keys using (key)
    union all
    select g from (select g, count(*) over (partition by key) as times from unnest(steps)) keys where times > 1
    union all
    select g from (
      select s.g, a.balance - a.held as available, sum(s.amount) over (partition by s.debit) as spent
      from unnest(steps) s join accounts a on a.id = s.debit where s.debit > 0
    ) spenders where spent > available
  ) found
$$;

-- Applies movements that cannot conflict, all at once.
create function ledger_move(steps ledger_step[], happened_at timestamptz) returns void language plpgsql as $$
begin
  insert into transfer_keys (key, asked) select s.key, ledger_movement_digest(s) from unnest(steps) s;
  insert into transfers (at, debit_id, credit_id, amount, hold_id, cause_id, asset, what, cause, key, note)
  select happened_at, debit, credit, amount, null, cause_id, ledger_asset(debit), what, cause, key, note from unnest(steps);
  update accounts set balance = balance + change
  from (
    select id, sum(change)::bigint as change from (
      select debit as id, -amount as change from unnest(steps)
      union all
      select credit, amount from unnest(steps)
    ) changes group by id
  ) net
  where accounts.id = net.id;
end $$;

-- Applies groups of linked steps: each group as a whole or not at all, with the outcome of some serial order.
-- Returns [{ g, outcome, … }] for the groups that were not simply applied.
create function ledger_apply(asked jsonb, happened_at timestamptz) returns jsonb language plpgsql as $$
declare
  -- Concurrent transactions write different rows of a house account.
  house_row bigint := pg_current_xact_id()::text::bigint & 63;
  steps ledger_step[];
  doubtful integer[];
  clean ledger_step[];
  one integer;
  answers jsonb := '[]';
begin
  steps := array(
    select row(s.g, s.op, s.key,
      case when s.op = 'post' then h.account_id when s.debit < 0 then s.debit + house_row else s.debit end,
      case when s.credit < 0 then s.credit + house_row else s.credit end,
      s.amount, s.unit, s.hold_id, s.keep, s.what, s.cause, s.cause_id, s.note)::ledger_step
    from jsonb_populate_recordset(null::ledger_step, asked) s
    left join holds h on s.op = 'post' and h.id = s.hold_id
  );
  perform ledger_lock(array(select debit from unnest(steps) where debit is not null union select credit from unnest(steps) where credit is not null));
  doubtful := ledger_doubtful(steps);
  begin
    if doubtful is null then
      perform ledger_move(steps, happened_at);
    else
      clean := array(select s from unnest(steps) s where g <> all (doubtful));
      if cardinality(clean) > 0 then perform ledger_move(clean, happened_at); end if;
    end if;
  exception when unique_violation then
    -- A concurrent transaction wrote one of the keys; the unique index made this one wait for it.
    doubtful := array(select distinct g from unnest(steps));
  end;
  foreach one in array array(select g from unnest(coalesce(doubtful, '{}')) g order by g) loop
    answers := answers || (ledger_try_group(array(select s from unnest(steps) s where g = one), happened_at) || jsonb_build_object('g', one));
  end loop;
  return answers;
end $$;

-- The contradictions of the ledger, read in one snapshot; the result is empty when there are none. It does not use the
-- functions above.
create function ledger_differences(most integer)
returns table (law text, account_id bigint, asset text, expected text, found text) language sql stable as $$
  with moved as (
    select id, sum(change) as balance from (
      select debit_id as id, -amount::numeric as change from transfers
      union all
      select credit_id, amount from transfers
    ) changes group by id
  ), open_holds as (
    select h.account_id as id, sum(held) as held from holds h where state = 'open' group by h.account_id
  ), stepped as (
    select hold_id as id, sum(change) as held from hold_steps group by hold_id
  ), posted as (
    select hold_id as id, sum(amount) as posted from transfers where hold_id is not null group by hold_id
  )
  (select 'balance is its transfers', id, a.asset, coalesce(m.balance, 0)::text, coalesce(a.balance, 0)::text
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
  (select 'a hold is its steps', h.account_id, h.asset, coalesce(s.held, 0)::text, coalesce(h.held, 0)::text
    from holds h full join stepped s using (id) where coalesce(h.held, 0) <> coalesce(s.held, 0) limit most)
  union all
  (select 'a hold posted its transfers', h.account_id, h.asset, coalesce(p.posted, 0)::text, coalesce(h.posted, 0)::text
    from holds h full join posted p using (id) where coalesce(h.posted, 0) <> coalesce(p.posted, 0) limit most)
  union all
  (select 'a key moves once', null, null, keys.count::text, moves.count::text
    from (select count(*) from transfer_keys) keys, (select count(*) from transfers) moves where keys.count <> moves.count)
  union all
  (select 'a step happens once', null, null, keys.count::text, steps.count::text
    from (select count(*) from hold_step_keys) keys, (select count(*) from hold_steps) steps where keys.count <> steps.count)
$$;

-- Recomputes every balance from the transfers and the open holds; returns how many were wrong. Movements wait until it ends.
create function ledger_rebuild() returns bigint language plpgsql as $$
declare
  corrected bigint;
begin
  lock table accounts in share row exclusive mode;
  insert into accounts (id) select debit_id from transfers union select credit_id from transfers on conflict do nothing;
  with moved as (
    select id, sum(change)::bigint as balance from (
      select debit_id as id, -amount as change from transfers
      union all
      select credit_id, amount from transfers
    ) changes group by id
  ), open_holds as (
    select account_id as id, sum(held)::bigint as held from holds where state = 'open' group by account_id
  ), truth as (
    select id, coalesce(m.balance, 0) as balance, coalesce(h.held, 0) as held
    from accounts left join moved m using (id) left join open_holds h using (id)
  )
  update accounts a set balance = truth.balance, held = truth.held
  from truth where truth.id = a.id and (truth.balance, truth.held) is distinct from (a.balance, a.held);
  get diagnostics corrected = row_count;
  return corrected;
end $$;
