-- The open hours of a girl: windows of her week, in her time zone.
create table date_hours (
  girl_id bigint primary key references users (id),
  zone text not null,
  hours jsonb not null,
  changed_at timestamptz not null
);

create sequence virtual_date_ids;

-- A private call by appointment, from the request to its end.
create table virtual_dates (
  date_id bigint primary key,
  guy_id bigint not null references users (id),
  girl_id bigint not null references users (id),
  at timestamptz not null,
  minutes integer not null check (minutes in (15, 30, 60)),
  state text not null check (state in ('requested', 'accepted', 'declined', 'cancelled', 'expired', 'started', 'done', 'he_missed', 'she_missed')),
  -- Of a private minute, as they were at the request: diamond units of the guy, coin units of the girl.
  price units not null check (price >= 0),
  earn units not null check (earn >= 0),
  -- Null: the price is nothing.
  hold_id bigint,
  hold_units units not null check (hold_units >= 0),
  opened_at timestamptz not null,
  -- Until when she may answer.
  answer_until timestamptz not null,
  -- How many reminders were sent, or would have come too late.
  reminders integer not null check (reminders between 0 and 2),
  guy_pressed_at timestamptz,
  girl_pressed_at timestamptz,
  session_id bigint,
  -- Null: no party did, or the date was not cancelled.
  cancelled_by text check (cancelled_by in ('guy', 'girl')),
  -- His cost and her earnings of a date that was missed or cancelled late.
  kept_units units not null check (kept_units between 0 and hold_units),
  earned_units units not null check (earned_units >= 0),
  wake_at timestamptz,
  closed_at timestamptz,
  owner_id integer,
  fence integer not null default 1,
  version integer not null default 1,
  check ((state in ('requested', 'accepted', 'started')) = (closed_at is null)),
  check ((state in ('requested', 'accepted')) = (wake_at is not null)),
  check ((state in ('started', 'done')) = (session_id is not null))
);
create index virtual_dates_open_of_guy on virtual_dates (guy_id, at) where closed_at is null;
create index virtual_dates_open_of_girl on virtual_dates (girl_id, at) where closed_at is null;
create index virtual_dates_past_of_guy on virtual_dates (guy_id, at desc) where closed_at is not null;
create index virtual_dates_past_of_girl on virtual_dates (girl_id, at desc) where closed_at is not null;
create index virtual_dates_of_guy on virtual_dates (guy_id, date_id);
create index virtual_dates_of_girl on virtual_dates (girl_id, date_id);
create unique index virtual_dates_of_session on virtual_dates (session_id) where session_id is not null;
create index virtual_dates_open on virtual_dates (date_id) where closed_at is null;
create index virtual_dates_closed on virtual_dates (closed_at) where closed_at is not null;
