-- The share of an inviter in the purchases or earnings of an invited user. It is held until the window of refunds is over.
create table referral_shares (
  share_id bigint generated always as identity primary key,
  inviter_id bigint not null references users (id),
  invited_id bigint not null references users (id),
  what text not null check (what in ('purchase', 'premium_earnings', 'verified_earned')),
  -- Of a purchase.
  order_id bigint references orders (order_id),
  -- Of earnings: the day of the product.
  day date,
  asset text not null check (asset in ('coin', 'diamond')),
  amount units not null check (amount >= 0),
  -- The part whose purchase was given back; `owed` of it was paid already and is taken from later shares.
  taken_back units not null default 0,
  owed units not null default 0,
  -- The two are one user: the share is not paid.
  flag text check (flag in ('same_device', 'same_instrument')),
  -- Lapsed: the account of the inviter was erased before the payment.
  state text not null check (state in ('held', 'paid', 'flagged', 'lapsed')),
  -- Staff know that the two are two people: nothing flags the share again.
  released_at timestamptz,
  release_comment text,
  created_at timestamptz not null,
  due_at timestamptz not null,
  paid_at timestamptz,
  check (taken_back between 0 and amount),
  check (owed between 0 and taken_back),
  check ((released_at is null) = (release_comment is null)),
  check ((state = 'flagged') = (flag is not null)),
  check ((what = 'purchase') = (order_id is not null)),
  check ((what = 'premium_earnings') = (day is not null))
);
create unique index referral_shares_of_order on referral_shares (order_id) where order_id is not null;
create unique index referral_shares_of_day on referral_shares (invited_id, day) where day is not null;
create unique index referral_shares_once on referral_shares (invited_id) where what = 'verified_earned';
create index referral_shares_of_inviter on referral_shares (inviter_id, share_id desc);
create index referral_shares_of_invited on referral_shares (invited_id);
create index referral_shares_due on referral_shares (due_at, share_id) where state = 'held';
create index referral_shares_flagged on referral_shares (share_id) where state = 'flagged';
create index referral_shares_held on referral_shares (inviter_id) where state = 'held';
create index referral_shares_owed on referral_shares (inviter_id) where owed > 0;

-- Sums of an inviter, by the role of the invited: pages do not count rows.
create table referral_totals (
  inviter_id bigint not null references users (id),
  kind text not null check (kind in ('guy', 'girl')),
  -- Visitors who came by the link.
  invited bigint not null default 0,
  registered bigint not null default 0,
  bought bigint not null default 0,
  earned units not null default 0,
  primary key (inviter_id, kind)
);

-- The earnings of a girl invited by a guy, until his bonus.
create table referred_earnings (
  girl_id bigint primary key references users (id),
  units units not null,
  -- The bonus was given: nothing is counted any more.
  has_bonus boolean not null default false
);
create index referred_earnings_open on referred_earnings (units) where not has_bonus;

-- A visitor, as a keyed hash, counts once for an inviter.
create table referral_visits (
  inviter_id bigint not null references users (id),
  visitor text not null,
  at timestamptz not null,
  primary key (inviter_id, visitor)
);
create index referral_visits_at on referral_visits (at);

-- The newest users who registered with a code.
create index users_registered_by on users (referred_by, registered_at desc) where referred_by is not null;
drop index users_referred_by;
