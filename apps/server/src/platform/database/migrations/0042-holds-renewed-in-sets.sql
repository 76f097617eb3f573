-- A posting of a hold is applied together with those of other holds, as movements are: the renewals of many calls are one
-- statement. Only what may be refused, or depends on another group, is still applied step by step.

-- A hold of a live call changes every fifty seconds. With room in its page no index is written.
alter table holds set (fillfactor = 70);

-- The units that a posting keeps when the balance suffices.
create function ledger_kept(keep bigint, unit bigint) returns bigint language sql immutable parallel safe return
  coalesce(keep / coalesce(unit, 1) * coalesce(unit, 1), 0);

-- The groups that must be applied one by one: openings of holds, keys used before, postings that a hold may not permit, and
-- accounts that may not cover all their groups. What a group receives or releases is not counted for another one, so that
-- all other groups can be applied in any order, and each posting keeps all that it asks for.
create or replace function ledger_doubtful(steps ledger_step[]) returns integer[] language sql as $$
  select array_agg(distinct g) from (
    select g from unnest(steps) where op not in ('move', 'post')
    union all
    select s.g from unnest(steps) s join transfer_keys using (key)
    union all
    select s.g from unnest(steps) s join hold_step_keys using (key) where s.op = 'post'
    union all
    select g from (select g, count(*) over (partition by key) as times from unnest(steps)) keys where times > 1
    union all
    select p.g from (
      select g, hold_id, amount, count(*) over (partition by hold_id) as times from unnest(steps) where op = 'post'
    ) p left join holds h on h.id = p.hold_id
    where p.times > 1 or h.state is distinct from 'open' or p.amount > h.held
    union all
    select g from (
      select s.g, a.balance - a.held as available,
        sum(greatest(0, s.amount + ledger_kept(s.keep, s.unit) - coalesce(h.held, 0))) over (partition by s.debit) as spent
      from unnest(steps) s join accounts a on a.id = s.debit left join holds h on h.id = s.hold_id where s.debit > 0
    ) spenders where spent > available
  ) found
$$;

-- Applies groups that cannot conflict and cannot be refused, all at once. Returns the answers of those with a posting. The
-- accounts are locked; a hold changes only under the lock of its account.
drop function ledger_move(ledger_step[], timestamptz);
create function ledger_apply_together(steps ledger_step[], happened_at timestamptz) returns jsonb language plpgsql as $$
declare
  answers jsonb;
begin
  insert into transfer_keys (key, asked)
  select s.key, ledger_movement_digest(s) from unnest(steps) s where s.op = 'move' or s.amount > 0;
  insert into transfers (at, debit_id, credit_id, amount, hold_id, cause_id, asset, what, cause, key, note)
  select happened_at, debit, credit, amount, hold_id, cause_id, ledger_asset(debit), what, cause, key, note
  from unnest(steps) where op = 'move' or amount > 0;
  if not exists (select from unnest(steps) where op = 'post') then
    update accounts set balance = balance + change
    from (
      select id, sum(change)::bigint as change from (
        select debit as id, -amount as change from unnest(steps)
        union all
        select credit, amount from unnest(steps)
      ) changes group by id
    ) net
    where accounts.id = net.id;
    return '[]';
  end if;
  update accounts set balance = balance + net.change, held = accounts.held + net.held
  from (
    select id, sum(change)::bigint as change, sum(held)::bigint as held from (
      select s.debit as id, -s.amount as change, coalesce(ledger_kept(s.keep, s.unit) - h.held, 0) as held
      from unnest(steps) s left join holds h on s.op = 'post' and h.id = s.hold_id
      union all
      select credit, amount, 0 from unnest(steps) where op = 'move' or amount > 0
    ) changes group by id
  ) net
  where accounts.id = net.id;
  insert into hold_step_keys (key, at) select key, happened_at from unnest(steps) where op = 'post';
  insert into hold_steps (key, hold_id, change, asked, answer, at)
  select s.key, s.hold_id, ledger_kept(s.keep, s.unit) - h.held, ledger_asked(s),
    jsonb_build_object('hold_id', s.hold_id, 'posted', s.amount::text, 'held', ledger_kept(s.keep, s.unit)::text), happened_at
  from unnest(steps) s join holds h on h.id = s.hold_id where s.op = 'post';
  update holds h set
    held = ledger_kept(s.keep, s.unit),
    posted = posted + s.amount,
    state = case when ledger_kept(s.keep, s.unit) > 0 then 'open' when posted + s.amount > 0 then 'posted' else 'voided' end,
    closed_at = case when ledger_kept(s.keep, s.unit) = 0 then happened_at end
  from unnest(steps) s where s.op = 'post' and h.id = s.hold_id;
  select jsonb_agg(jsonb_build_object('g', g, 'outcome', 'applied', 'answers', of_group)) into answers from (
    select g, jsonb_agg(case when op = 'post' then
      jsonb_build_object('hold_id', hold_id, 'posted', amount::text, 'held', ledger_kept(keep, unit)::text) end order by position) as of_group
    from unnest(steps) with ordinality as s (g, op, key, debit, credit, amount, unit, hold_id, keep, what, cause, cause_id, note, position)
    group by g having bool_or(op = 'post')
  ) groups;
  return answers;
end $$;

create or replace function ledger_apply(asked jsonb, happened_at timestamptz) returns jsonb language plpgsql as $$
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
      answers := ledger_apply_together(steps, happened_at);
    else
      clean := array(select s from unnest(steps) s where g <> all (doubtful));
      if cardinality(clean) > 0 then answers := ledger_apply_together(clean, happened_at); end if;
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
