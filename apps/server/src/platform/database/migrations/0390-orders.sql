-- The debt of a user after a purchase was given back: two more assets of users' accounts (0002-wallet.sql).
create or replace function ledger_asset(account_id bigint) returns text language sql immutable parallel safe return
  (array['diamond', 'message', 'coin', 'usd', 'usdt', 'diamond_debt', 'message_debt'])[
    1 + ((case when account_id > 0 then account_id else -(account_id >> 6) - 1 end) & 7)];

-- The packages on sale. The price of a package is a row for each currency, in the smallest unit of the currency.
create table packages (
  package_id bigint generated always as identity primary key,
  pack text not null check (pack in ('minutes', 'messages')),
  -- Minutes or messages.
  value integer not null check (value between 1 and 1000000),
  on_sale boolean not null default true,
  unique (pack, value)
);
create table package_prices (
  package_id bigint not null references packages (package_id),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  price units not null check (price > 0),
  primary key (package_id, currency)
);
with listed (pack, value, cents) as (values
  ('minutes', 15, 1499), ('minutes', 45, 3999), ('minutes', 120, 9499), ('minutes', 300, 19999),
  ('messages', 50, 499), ('messages', 200, 1699), ('messages', 500, 3699)
), made as (
  insert into packages (pack, value) select pack, value from listed returning package_id, pack, value
)
insert into package_prices (package_id, currency, price)
select package_id, 'USD', cents from made join listed using (pack, value);

-- A purchase, written before the buyer leaves for the provider. The price is that of the moment.
create table orders (
  order_id bigint generated always as identity primary key,
  -- Our name of the order at the provider.
  reference text not null unique check (reference ~ '^[A-Za-z0-9-]{8,40}$'),
  user_id bigint not null references users (id),
  place text not null,
  method text not null,
  package_id bigint references packages (package_id),
  pack text not null check (pack in ('minutes', 'messages')),
  value integer not null check (value > 0),
  bonus integer not null check (bonus >= 0),
  price units not null check (price >= 0),
  currency text not null,
  -- The operator's book, in cents.
  price_usd units not null check (price_usd >= 0),
  state text not null check (state in
    ('created', 'sent', 'paid', 'failed', 'expired', 'refunded', 'charged_back', 'quarantined')),
  -- The provider's name of the payment.
  payment_id text,
  -- Keyed hash of the card or wallet.
  instrument text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  paid_at timestamptz,
  -- The part of Premium that this purchase gave.
  premium_from timestamptz,
  premium_until timestamptz,
  -- The part of the price that was given back, and of the units that was taken back.
  returned units not null default 0,
  returned_units units not null default 0,
  changed_at timestamptz not null,
  check (returned between 0 and price),
  check ((premium_from is null) = (premium_until is null)),
  check (state not in ('paid', 'refunded', 'charged_back') or paid_at is not null or returned > 0)
);
create index orders_of_user on orders (user_id, order_id desc);
create index orders_of_package on orders (package_id);
create index orders_waiting on orders (expires_at) where state in ('created', 'sent');
create index orders_quarantined on orders (order_id) where state = 'quarantined';
create unique index orders_of_payment on orders (method, payment_id) where payment_id is not null;
create index orders_of_instrument on orders (instrument) where instrument is not null;
create index orders_paid on orders (user_id, paid_at) where paid_at is not null;

-- The order of the states: a program that forgets the rules is refused by the database.
create function order_state_changes() returns trigger language plpgsql as $$
begin
  if new.state <> old.state and not (case old.state
    when 'created' then new.state in ('sent', 'paid', 'failed', 'expired', 'refunded', 'charged_back', 'quarantined')
    when 'sent' then new.state in ('paid', 'failed', 'expired', 'refunded', 'charged_back', 'quarantined')
    -- The provider reported a payment late.
    when 'failed' then new.state in ('paid', 'refunded', 'charged_back', 'quarantined')
    when 'expired' then new.state in ('paid', 'failed', 'refunded', 'charged_back', 'quarantined')
    when 'quarantined' then new.state in ('paid', 'refunded', 'charged_back')
    when 'paid' then new.state in ('refunded', 'charged_back')
    when 'refunded' then new.state = 'charged_back'
    else false end) then
    raise exception 'order % does not go from % to %', old.order_id, old.state, new.state
      using errcode = 'integrity_constraint_violation';
  end if;
  if old.paid_at is not null and new.paid_at is distinct from old.paid_at or new.returned < old.returned then
    raise exception 'order % is paid once and is given back once', old.order_id using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
create trigger orders_follow_states before update on orders for each row execute function order_state_changes();

-- Every callback of a provider as it arrived, with what became of it.
create table payment_callbacks (
  callback_id bigint generated always as identity primary key,
  method text not null,
  request_method text not null,
  query text not null,
  headers jsonb not null,
  body bytea not null,
  address text not null,
  verdict text not null,
  why text,
  order_id bigint references orders (order_id),
  received_at timestamptz not null
);
create index payment_callbacks_of_order on payment_callbacks (order_id) where order_id is not null;
create index payment_callbacks_received on payment_callbacks (received_at);

-- A step of a payment counts once, however often its notice arrives.
create table payment_steps (
  method text not null,
  step_id text not null,
  kind text not null,
  order_id bigint not null references orders (order_id),
  amount units,
  currency text,
  at timestamptz not null,
  primary key (method, step_id)
);
create index payment_steps_of_order on payment_steps (order_id);

-- Prepaid codes of the operator, as keyed hashes.
create table gift_cards (
  code_hash bytea primary key,
  batch text not null,
  minutes integer not null check (minutes between 1 and 100000),
  -- The price at which the operator sold it, in cents of USD.
  price_usd units not null check (price_usd >= 0),
  valid_until date,
  created_at timestamptz not null,
  order_id bigint references orders (order_id),
  redeemed_at timestamptz,
  check ((order_id is null) = (redeemed_at is null))
);
create unique index gift_cards_of_order on gift_cards (order_id) where order_id is not null;

-- A guy's own limit of what he buys a day. A raised limit waits.
create table spending_limits (
  user_id bigint primary key references users (id),
  -- In whole minutes; null: no limit.
  daily_minutes integer check (daily_minutes > 0),
  next_minutes integer check (next_minutes > 0),
  next_from timestamptz,
  cool_off_until timestamptz,
  changed_at timestamptz not null
);
