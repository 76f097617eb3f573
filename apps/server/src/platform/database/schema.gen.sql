-- Made by generate.ts from the migrations. Do not edit.

create domain account_number as bigint;

create domain units as bigint;

create sequence process_owner_ids;

create sequence session_text_ids;

create sequence transfer_ids;

create sequence user_ids;

create sequence video_session_ids;

create table absences (
  id bigint not null generated always as identity,
  user_id bigint not null,
  kind text not null,
  at timestamp with time zone not null,
  constraint absences_kind_check CHECK ((kind = ANY (ARRAY['missed_offers'::text, 'no_face'::text]))),
  constraint absences_pkey PRIMARY KEY (id),
  constraint absences_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX absences_at ON public.absences USING brin (at);
CREATE INDEX absences_of ON public.absences USING btree (user_id, at DESC);

create table accounts (
  id account_number not null,
  user_id bigint generated always as (
CASE
    WHEN ((id)::bigint > 0) THEN ((id)::bigint >> 3)
    ELSE NULL::bigint
END) stored,
  house text generated always as (
CASE
    WHEN ((id)::bigint < 0) THEN ledger_house((id)::bigint)
    ELSE NULL::text
END) stored,
  asset text not null generated always as (ledger_asset((id)::bigint)) stored,
  balance units not null default 0,
  held units not null default 0,
  constraint accounts_hold_covered CHECK ((((held)::bigint >= 0) AND (((held)::bigint <= (balance)::bigint) OR ((id)::bigint < 0)))),
  constraint accounts_no_overdraft CHECK ((((balance)::bigint >= 0) OR ((id)::bigint < 0))),
  constraint accounts_one_owner CHECK ((num_nonnulls(user_id, house) = 1)),
  constraint accounts_pkey PRIMARY KEY (id)
);
CREATE TRIGGER accounts_stay BEFORE DELETE OR TRUNCATE ON public.accounts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table balance_notices (
  id bigint not null generated always as identity,
  user_id bigint not null,
  reason text not null,
  told_at timestamp with time zone not null,
  got_at timestamp with time zone,
  constraint balance_notices_pkey PRIMARY KEY (id)
);
CREATE INDEX balance_notices_told ON public.balance_notices USING brin (told_at);
CREATE INDEX balance_notices_waiting ON public.balance_notices USING btree (user_id) WHERE (got_at IS NULL);

create table blocks (
  owner_id bigint not null,
  blocked_id bigint not null,
  at timestamp with time zone not null,
  constraint blocks_check CHECK ((owner_id <> blocked_id)),
  constraint blocks_pkey PRIMARY KEY (owner_id, blocked_id),
  constraint blocks_blocked_id_fkey FOREIGN KEY (blocked_id) REFERENCES users(id),
  constraint blocks_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id)
);
CREATE INDEX blocks_of ON public.blocks USING btree (blocked_id, owner_id);

create table call_flags (
  id bigint not null generated always as identity,
  session_id bigint not null,
  user_id bigint not null,
  about text not null,
  at timestamp with time zone not null,
  constraint call_flags_pkey PRIMARY KEY (id),
  constraint call_flags_session_id_fkey FOREIGN KEY (session_id) REFERENCES video_sessions(session_id),
  constraint call_flags_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX call_flags_at ON public.call_flags USING brin (at);
CREATE INDEX call_flags_of_call ON public.call_flags USING btree (session_id);
CREATE INDEX call_flags_of_user ON public.call_flags USING btree (user_id);

create table cast_members (
  name text not null,
  user_id bigint not null,
  constraint cast_members_pkey PRIMARY KEY (name),
  constraint cast_members_user_id_key UNIQUE (user_id),
  constraint cast_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table change_heads (
  user_id bigint not null,
  head bigint not null,
  constraint change_heads_pkey PRIMARY KEY (user_id)
);

create table changes (
  user_id bigint not null,
  change_id bigint not null,
  event text not null,
  payload jsonb not null,
  at timestamp with time zone not null,
  constraint changes_pkey PRIMARY KEY (user_id, change_id, at)
) partition by RANGE (at);
CREATE INDEX changes_at ON ONLY public.changes USING brin (at);

create table email_probes (
  address text not null,
  day date not null,
  tries integer not null,
  constraint email_probes_pkey PRIMARY KEY (address, day)
);

create table favourites (
  id bigint not null generated always as identity,
  owner_id bigint not null,
  user_id bigint not null,
  at timestamp with time zone not null,
  constraint favourites_check CHECK ((owner_id <> user_id)),
  constraint favourites_owner_id_user_id_key UNIQUE (owner_id, user_id),
  constraint favourites_pkey PRIMARY KEY (id),
  constraint favourites_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id),
  constraint favourites_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX favourites_of ON public.favourites USING btree (user_id);
CREATE INDEX favourites_page ON public.favourites USING btree (owner_id, id DESC);

create table free_quotas (
  user_id bigint not null,
  seconds integer not null,
  constraint free_quotas_pkey PRIMARY KEY (user_id),
  constraint free_quotas_seconds_check CHECK ((seconds >= 0)),
  constraint free_quotas_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table free_starts (
  guy_id bigint not null,
  day date not null,
  girl_id bigint not null,
  uses integer not null,
  constraint free_starts_pkey PRIMARY KEY (guy_id, day, girl_id),
  constraint free_starts_uses_check CHECK ((uses > 0)),
  constraint free_starts_girl_id_fkey FOREIGN KEY (girl_id) REFERENCES users(id),
  constraint free_starts_guy_id_fkey FOREIGN KEY (guy_id) REFERENCES users(id)
);
CREATE INDEX free_starts_day ON public.free_starts USING brin (day);
CREATE INDEX free_starts_of_girl ON public.free_starts USING btree (girl_id);

create table hold_step_keys (
  key text not null,
  at timestamp with time zone not null,
  constraint hold_steps_once PRIMARY KEY (key)
);
CREATE TRIGGER hold_step_keys_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.hold_step_keys FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table hold_steps (
  key text not null,
  hold_id bigint not null,
  change units not null,
  asked jsonb not null,
  answer jsonb not null,
  at timestamp with time zone not null,
  constraint hold_steps_short CHECK ((length(key) <= 200))
) partition by RANGE (at);
CREATE INDEX hold_steps_key ON ONLY public.hold_steps USING btree (key);
CREATE TRIGGER hold_steps_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.hold_steps FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table holds (
  id bigint not null generated always as identity,
  account_id account_number not null,
  asset text not null,
  held units not null,
  posted units not null default 0,
  state text not null default 'open'::text,
  what text not null,
  cause text not null,
  cause_id bigint,
  opened_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  constraint holds_amounts CHECK ((((posted)::bigint >= 0) AND ((held)::bigint >= 0) AND (((held)::bigint > 0) = (state = 'open'::text)) AND (((posted)::bigint = 0) OR (state <> 'voided'::text)))),
  constraint holds_pkey PRIMARY KEY (id),
  constraint holds_state CHECK ((state = ANY (ARRAY['open'::text, 'posted'::text, 'voided'::text])))
);
CREATE INDEX holds_open ON public.holds USING btree (account_id) WHERE (state = 'open'::text);
CREATE TRIGGER holds_close_once BEFORE UPDATE ON public.holds FOR EACH ROW EXECUTE FUNCTION ledger_hold_changes();
CREATE TRIGGER holds_stay BEFORE DELETE OR TRUNCATE ON public.holds FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table idempotent_answers (
  user_id bigint not null,
  key text not null,
  request_hash bytea not null,
  claim uuid not null,
  claimed_until timestamp with time zone not null,
  answer jsonb,
  created_at timestamp with time zone not null,
  constraint idempotent_answers_key_check CHECK ((length(key) <= 128)),
  constraint idempotent_answers_pkey PRIMARY KEY (user_id, key)
);
CREATE INDEX idempotent_answers_created ON public.idempotent_answers USING brin (created_at);

create table job_periods (
  job text not null,
  period text not null,
  done_at timestamp with time zone not null,
  constraint job_periods_pkey PRIMARY KEY (job, period)
);

create table logins (
  id bigint not null generated always as identity,
  user_id bigint not null,
  token_hash bytea not null,
  generation integer not null default 1,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint logins_pkey PRIMARY KEY (id),
  constraint logins_token_hash_key UNIQUE (token_hash),
  constraint logins_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX logins_ended ON public.logins USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX logins_of ON public.logins USING btree (user_id);

create table media (
  id uuid not null,
  owner_id bigint not null,
  product text not null,
  kind text not null,
  width integer not null,
  height integer not null,
  status text not null,
  reason text,
  created_at timestamp with time zone not null,
  constraint media_height_check CHECK ((height > 0)),
  constraint media_kind_check CHECK ((kind = ANY (ARRAY['photo'::text, 'video'::text]))),
  constraint media_pkey PRIMARY KEY (id),
  constraint media_status_check CHECK ((status = ANY (ARRAY['ready'::text, 'pending'::text, 'removed'::text]))),
  constraint media_width_check CHECK ((width > 0)),
  constraint media_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id)
);
CREATE INDEX media_of ON public.media USING btree (owner_id, product, created_at);

create table meetings (
  guy_id bigint not null,
  girl_id bigint not null,
  at timestamp with time zone not null,
  constraint meetings_pkey PRIMARY KEY (guy_id, girl_id),
  constraint meetings_girl_id_fkey FOREIGN KEY (girl_id) REFERENCES users(id),
  constraint meetings_guy_id_fkey FOREIGN KEY (guy_id) REFERENCES users(id)
);
CREATE INDEX meetings_at ON public.meetings USING btree (at);
CREATE INDEX meetings_of_girl ON public.meetings USING btree (girl_id, at DESC);
CREATE INDEX meetings_of_guy ON public.meetings USING btree (guy_id, at DESC);

create table outbox (
  outbox_id bigint not null generated always as identity,
  kind text not null,
  key text,
  payload jsonb not null,
  attempts integer not null default 0,
  created_at timestamp with time zone not null default now(),
  due_at timestamp with time zone not null default now(),
  done_at timestamp with time zone,
  dead_at timestamp with time zone,
  last_error text,
  constraint outbox_check CHECK (((done_at IS NULL) OR (dead_at IS NULL))),
  constraint outbox_pkey PRIMARY KEY (outbox_id)
);
CREATE INDEX outbox_dead ON public.outbox USING btree (dead_at) WHERE (dead_at IS NOT NULL);
CREATE INDEX outbox_done ON public.outbox USING btree (done_at) WHERE (done_at IS NOT NULL);
CREATE INDEX outbox_due ON public.outbox USING btree (due_at) WHERE ((done_at IS NULL) AND (dead_at IS NULL));
CREATE UNIQUE INDEX outbox_key ON public.outbox USING btree (kind, key);

create table pairs (
  pair_id uuid not null,
  kind text not null,
  guy_id bigint not null,
  girl_id bigint not null,
  state text not null,
  reason text,
  free_seconds integer not null,
  guy_answer text,
  girl_answer text,
  guy_waiting_since timestamp with time zone not null,
  girl_waiting_since timestamp with time zone not null,
  guy_locales text[] not null,
  girl_locales text[] not null,
  missed_before integer not null,
  opened_at timestamp with time zone not null,
  wake_at timestamp with time zone,
  closed_at timestamp with time zone,
  owner_id integer,
  fence integer not null default 1,
  version integer not null default 1,
  constraint pairs_check CHECK (((state = 'open'::text) = (closed_at IS NULL))),
  constraint pairs_check1 CHECK (((state = 'open'::text) = (wake_at IS NOT NULL))),
  constraint pairs_check2 CHECK (((state = 'closed'::text) = (reason IS NOT NULL))),
  constraint pairs_free_seconds_check CHECK ((free_seconds >= 0)),
  constraint pairs_girl_answer_check CHECK ((girl_answer = ANY (ARRAY['accepted'::text, 'declined'::text]))),
  constraint pairs_guy_answer_check CHECK ((guy_answer = ANY (ARRAY['accepted'::text, 'declined'::text]))),
  constraint pairs_kind_check CHECK ((kind = ANY (ARRAY['random'::text, 'direct'::text]))),
  constraint pairs_pkey PRIMARY KEY (pair_id),
  constraint pairs_state_check CHECK ((state = ANY (ARRAY['open'::text, 'matched'::text, 'closed'::text]))),
  constraint pairs_girl_id_fkey FOREIGN KEY (girl_id) REFERENCES users(id),
  constraint pairs_guy_id_fkey FOREIGN KEY (guy_id) REFERENCES users(id)
);
CREATE INDEX pairs_of_girl ON public.pairs USING btree (girl_id, opened_at DESC);
CREATE INDEX pairs_of_guy ON public.pairs USING btree (guy_id, opened_at DESC);
CREATE UNIQUE INDEX pairs_one_of_girl ON public.pairs USING btree (girl_id) WHERE (state = 'open'::text);
CREATE UNIQUE INDEX pairs_one_of_guy ON public.pairs USING btree (guy_id) WHERE (state = 'open'::text);
CREATE INDEX pairs_opened ON public.pairs USING brin (opened_at);

create table process_owners (
  owner_id integer not null,
  started_at timestamp with time zone not null,
  lease_until timestamp with time zone not null,
  constraint process_owners_pkey PRIMARY KEY (owner_id)
);

create table retention_runs (
  rule text not null,
  ran_at timestamp with time zone not null,
  keep_days integer not null,
  deleted bigint not null,
  is_complete boolean not null,
  error text,
  constraint retention_runs_pkey PRIMARY KEY (rule)
);

create table schema_migrations (
  number integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint schema_migrations_pkey PRIMARY KEY (number)
);

create table search_rests (
  user_id bigint not null,
  on_break boolean not null default false,
  paused_until timestamp with time zone,
  missed_offers integer not null default 0,
  missed_out boolean not null default false,
  constraint search_rests_pkey PRIMARY KEY (user_id),
  constraint search_rests_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table session_logs (
  id bigint not null generated always as identity,
  session_id bigint not null,
  user_id bigint not null,
  level text not null,
  text text not null,
  at timestamp with time zone not null,
  constraint session_logs_pkey PRIMARY KEY (id)
);
CREATE INDEX session_logs_at ON public.session_logs USING brin (at);

create table session_texts (
  text_id bigint not null default nextval('session_text_ids'::regclass),
  call_opened_at timestamp with time zone not null,
  session_id bigint not null,
  sender_id bigint not null,
  id text not null,
  text text not null,
  original text,
  create_time timestamp with time zone not null,
  constraint session_texts_pkey PRIMARY KEY (text_id, call_opened_at),
  constraint session_texts_session_id_sender_id_id_call_opened_at_key UNIQUE (session_id, sender_id, id, call_opened_at),
  constraint session_texts_sender_id_fkey FOREIGN KEY (sender_id) REFERENCES users(id),
  constraint session_texts_session_id_fkey FOREIGN KEY (session_id) REFERENCES video_sessions(session_id)
) partition by RANGE (call_opened_at);
CREATE INDEX session_texts_original ON ONLY public.session_texts USING btree (create_time) WHERE (original IS NOT NULL);
CREATE INDEX session_texts_sender ON ONLY public.session_texts USING btree (sender_id);

create table settings (
  key text not null,
  value jsonb not null,
  changed_at timestamp with time zone not null,
  changed_by text not null,
  constraint settings_pkey PRIMARY KEY (key)
);

create table transfer_keys (
  key text not null,
  asked bytea not null,
  constraint transfers_once PRIMARY KEY (key)
);
CREATE TRIGGER transfer_keys_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.transfer_keys FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table transfers (
  id bigint not null default nextval('transfer_ids'::regclass),
  at timestamp with time zone not null,
  debit_id account_number not null,
  credit_id account_number not null,
  amount units not null,
  hold_id bigint,
  cause_id bigint,
  asset text not null,
  what text not null,
  cause text not null,
  key text not null,
  note text,
  constraint transfers_in_one_asset CHECK (((asset = ledger_asset((debit_id)::bigint)) AND (asset = ledger_asset((credit_id)::bigint)))),
  constraint transfers_move_something CHECK ((((amount)::bigint > 0) AND (ledger_party((debit_id)::bigint) <> ledger_party((credit_id)::bigint)))),
  constraint transfers_short CHECK (((length(key) <= 200) AND (length(what) <= 40) AND (length(cause) <= 40) AND (length(note) <= 1000)))
) partition by RANGE (at);
CREATE TRIGGER transfers_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.transfers FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table users (
  id bigint not null,
  role text,
  declared_role text,
  nick text,
  email text,
  password_hash text,
  birthday date,
  about text not null default ''::text,
  phone text,
  show_country boolean not null default false,
  country text,
  locale text not null default 'en'::text,
  theme text not null default 'system'::text,
  ref_code text,
  referred_by bigint,
  signature text,
  usdt_wallet text,
  age_confirmed_at timestamp with time zone,
  terms_version text,
  email_confirmed_at timestamp with time zone,
  premium_until timestamp with time zone,
  verified_at timestamp with time zone,
  noty_email boolean not null default true,
  noty_push boolean not null default true,
  noty_premium_guest boolean not null default true,
  noty_wanted_girl boolean not null default true,
  safe_video boolean not null default true,
  auto_accept boolean not null default false,
  available boolean not null default true,
  hide_countries text[] not null default '{}'::text[],
  quiet_hours jsonb,
  premium_calls_only boolean not null default false,
  default_pay_system text,
  fingerprint text,
  created_at timestamp with time zone not null,
  registered_at timestamp with time zone,
  last_visit timestamp with time zone,
  erased_at timestamp with time zone,
  favourites_count integer not null default 0,
  avatar_id uuid,
  constraint a_member_is_whole CHECK (((role IS NULL) OR ((nick IS NOT NULL) AND (email IS NOT NULL) AND (password_hash IS NOT NULL) AND (birthday IS NOT NULL) AND (ref_code IS NOT NULL) AND (registered_at IS NOT NULL)) OR (erased_at IS NOT NULL))),
  constraint users_about_check CHECK ((char_length(about) <= 2000)),
  constraint users_declared_role_check CHECK ((declared_role = ANY (ARRAY['guy'::text, 'girl'::text]))),
  constraint users_email_check CHECK ((char_length(email) <= 320)),
  constraint users_favourites_count_check CHECK ((favourites_count >= 0)),
  constraint users_nick_check CHECK ((char_length(nick) <= 40)),
  constraint users_pkey PRIMARY KEY (id),
  constraint users_ref_code_key UNIQUE (ref_code),
  constraint users_role_check CHECK ((role = ANY (ARRAY['guy'::text, 'girl'::text]))),
  constraint users_theme_check CHECK ((theme = ANY (ARRAY['system'::text, 'dark'::text, 'light'::text]))),
  constraint users_avatar_id_fkey FOREIGN KEY (avatar_id) REFERENCES media(id),
  constraint users_referred_by_fkey FOREIGN KEY (referred_by) REFERENCES users(id)
);
CREATE INDEX users_avatar ON public.users USING btree (avatar_id) WHERE (avatar_id IS NOT NULL);
CREATE UNIQUE INDEX users_email ON public.users USING btree (lower(email)) WHERE (email IS NOT NULL);
CREATE INDEX users_guests ON public.users USING btree (created_at) WHERE ((role IS NULL) AND (erased_at IS NULL));
CREATE INDEX users_referred_by ON public.users USING btree (referred_by) WHERE (referred_by IS NOT NULL);
CREATE INDEX users_tombstones ON public.users USING btree (erased_at) WHERE ((role IS NULL) AND (erased_at IS NOT NULL));

create table video_sessions (
  session_id bigint not null,
  session_guid uuid not null,
  guy_id bigint not null,
  girl_id bigint not null,
  kind text not null,
  state text not null,
  status text not null,
  opened_at timestamp with time zone not null,
  connected_at timestamp with time zone,
  closed_at timestamp with time zone,
  reason text,
  price_public units not null,
  price_private units not null,
  earn_public units not null,
  earn_private units not null,
  free_seconds integer not null,
  quota_seconds integer not null,
  private_from integer,
  good_ms integer not null,
  last_round_at timestamp with time zone,
  free_used integer not null,
  quota_used integer not null,
  paid_seconds integer not null,
  phase text,
  phase_since timestamp with time zone,
  why text,
  posted_seconds integer not null,
  funded_seconds integer not null,
  quota_taken integer not null,
  hold_asked_at timestamp with time zone,
  hold_dry boolean not null,
  break_set boolean not null,
  flagged boolean not null,
  guy jsonb not null,
  girl jsonb not null,
  paused jsonb not null,
  ask jsonb,
  doubt jsonb,
  broken_ms integer not null,
  broken_since timestamp with time zone,
  media_due_at timestamp with time zone not null,
  server_until timestamp with time zone,
  told_at timestamp with time zone,
  wake_at timestamp with time zone,
  hold_id bigint,
  held_units units not null default 0,
  posted_his units not null default 0,
  posted_hers units not null default 0,
  money_step integer not null default 0,
  owner_id integer,
  fence integer not null default 1,
  version integer not null default 1,
  constraint video_sessions_check CHECK (((status = 'closed'::text) = ((closed_at IS NOT NULL) AND (reason IS NOT NULL)))),
  constraint video_sessions_earn_private_check CHECK (((earn_private)::bigint >= 0)),
  constraint video_sessions_earn_public_check CHECK (((earn_public)::bigint >= 0)),
  constraint video_sessions_kind_check CHECK ((kind = ANY (ARRAY['random'::text, 'direct'::text]))),
  constraint video_sessions_pkey PRIMARY KEY (session_id),
  constraint video_sessions_price_private_check CHECK (((price_private)::bigint >= 0)),
  constraint video_sessions_price_public_check CHECK (((price_public)::bigint >= 0)),
  constraint video_sessions_state_check CHECK ((state = ANY (ARRAY['public'::text, 'private'::text]))),
  constraint video_sessions_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'running'::text, 'closed'::text]))),
  constraint video_sessions_girl_id_fkey FOREIGN KEY (girl_id) REFERENCES users(id),
  constraint video_sessions_guy_id_fkey FOREIGN KEY (guy_id) REFERENCES users(id)
);
CREATE INDEX video_sessions_of_girl ON public.video_sessions USING btree (girl_id, session_id DESC);
CREATE INDEX video_sessions_of_guy ON public.video_sessions USING btree (guy_id, session_id DESC);
CREATE UNIQUE INDEX video_sessions_one_of_girl ON public.video_sessions USING btree (girl_id) WHERE (status <> 'closed'::text);
CREATE UNIQUE INDEX video_sessions_one_of_guy ON public.video_sessions USING btree (guy_id) WHERE (status <> 'closed'::text);

create view partitioned_tables as
 SELECT (pg_class.relname)::text AS name,
    (pg_attribute.attname)::text AS time_column
   FROM ((pg_partitioned_table
     JOIN pg_class ON ((pg_class.oid = pg_partitioned_table.partrelid)))
     JOIN pg_attribute ON (((pg_attribute.attrelid = pg_partitioned_table.partrelid) AND (pg_attribute.attnum = pg_partitioned_table.partattrs[0]))))
  WHERE (pg_class.relnamespace = ('public'::regnamespace)::oid);

CREATE OR REPLACE FUNCTION public.create_month_partition(parent text, month date)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  partition_name text := format('%s_%s', parent, to_char(month, 'YYYY_MM'));
  default_name text := format('%s_default', parent);
  starts_at timestamptz := date_trunc('month', month::timestamp) at time zone 'UTC';
  ends_at timestamptz := (date_trunc('month', month::timestamp) + interval '1 month') at time zone 'UTC';
  time_column text := (select p.time_column from partitioned_tables p where p.name = parent);
  is_strayed boolean;
begin
  if to_regclass(partition_name) is not null then return false; end if;
  -- Attaching a finished table does not lock out the readers and writers of the other months.
  execute format('create table %I (like %I including defaults including constraints including storage)', partition_name, parent);
  execute format('select exists (select from %I where %I >= $1 and %I < $2)', default_name, time_column, time_column)
    into is_strayed using starts_at, ends_at;
  if is_strayed then
    execute format('alter table %I disable trigger user', default_name);
    execute format('with moved as (delete from %I where %I >= $1 and %I < $2 returning *) insert into %I select * from moved',
      default_name, time_column, time_column, partition_name) using starts_at, ends_at;
    execute format('alter table %I enable trigger user', default_name);
  end if;
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, partition_name, starts_at, ends_at);
  -- Statement triggers are not inherited.
  if exists (select from pg_trigger where tgrelid = parent::regclass and tgname = parent || '_append_only') then
    execute format('select guard_append_only(%L)', partition_name);
  end if;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION public.create_month_partitions(parent text, at timestamp with time zone)
 RETURNS date[]
 LANGUAGE plpgsql
 SET lock_timeout TO '5s'
AS $function$
declare
  this_month timestamp := date_trunc('month', at at time zone 'UTC');
  months date[] := array[this_month, this_month + interval '1 month'];
  strayed date[];
  created date[] := '{}';
  month date;
begin
  -- Before any lock on the table: two processes that start together must not wait for each other.
  perform pg_advisory_xact_lock(4205003);
  execute format('select array(select distinct date_trunc(''month'', %I at time zone ''UTC'')::date from %I limit 100)',
    (select time_column from partitioned_tables where name = parent), parent || '_default') into strayed;
  foreach month in array array(select unnest(months || strayed) order by 1) loop
    if create_month_partition(parent, month) then created := created || month; end if;
  end loop;
  return created;
end $function$;

CREATE OR REPLACE FUNCTION public.guard_append_only(table_name text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format('create trigger %I before update or delete or truncate on %I for each statement execute function refuse_change()',
    table_name || '_append_only', table_name);
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_add_step(s ledger_step, hold_id bigint, change bigint, answer jsonb, happened_at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into hold_step_keys (key, at) values (s.key, happened_at);
  insert into hold_steps (key, hold_id, change, asked, answer, at) values (s.key, hold_id, change, ledger_asked(s), answer, happened_at);
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_affordable(account_id bigint, wanted bigint, unit bigint)
 RETURNS bigint
 LANGUAGE sql
AS $function$
  select least(wanted, balance - held) / unit * unit from accounts where id = account_id
$function$;

CREATE OR REPLACE FUNCTION public.ledger_apply(asked jsonb, happened_at timestamp with time zone)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_apply_group(steps ledger_step[], happened_at timestamp with time zone)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_asked(s ledger_step)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
RETURN jsonb_strip_nulls(((to_jsonb(s) - 'g'::text) || jsonb_build_object('credit', ledger_party((s).credit))));

CREATE OR REPLACE FUNCTION public.ledger_asset(account_id bigint)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (ARRAY['diamond'::text, 'message'::text, 'coin'::text, 'usd'::text, 'usdt'::text])[(1 + (CASE WHEN (account_id > 0) THEN account_id ELSE ((- (account_id >> 6)) - 1) END & (7)::bigint))];

CREATE OR REPLACE FUNCTION public.ledger_differences(most integer)
 RETURNS TABLE(law text, account_id bigint, asset text, expected text, found text)
 LANGUAGE sql
 STABLE
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.ledger_doubtful(steps ledger_step[])
 RETURNS integer[]
 LANGUAGE sql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.ledger_hold_changes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.state <> 'open' or new.posted < old.posted
    or (new.id, new.account_id, new.asset, new.opened_at) is distinct from (old.id, old.account_id, old.asset, old.opened_at) then
    raise exception 'hold % is closed once and keeps its account', old.id using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_house(account_id bigint)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (ARRAY['sales'::text, 'conversion'::text, 'promotion'::text, 'referral'::text, 'gift_margin'::text, 'withdrawals_pending'::text, 'payouts'::text, 'fees'::text, 'penalties'::text, 'expired'::text, 'refunds'::text])[(1 + (((- (account_id >> 6)) - 1) >> 3))];

CREATE OR REPLACE FUNCTION public.ledger_lock(wanted bigint[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  locked integer;
begin
  perform from accounts where id = any (wanted) order by id for no key update;
  get diagnostics locked = row_count;
  if locked < cardinality(wanted) then
    insert into accounts (id) select id from unnest(wanted) id order by id on conflict do nothing;
    perform from accounts where id = any (wanted) order by id for no key update;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_missing(account_id bigint, wanted bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  available bigint := (select balance - held from accounts where id = account_id);
begin
  raise exception 'not enough balance' using errcode = 'DL301', detail = jsonb_build_object('missing', (wanted - available)::text, 'asset', ledger_asset(account_id));
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_move(steps ledger_step[], happened_at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_moved(s ledger_step)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
declare
  earlier bytea := (select asked from transfer_keys where key = s.key);
begin
  if earlier is null then return false; end if;
  if earlier <> ledger_movement_digest(s) then raise exception 'key % names another movement', s.key using errcode = 'DL900'; end if;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_movement_digest(s ledger_step)
 RETURNS bytea
 LANGUAGE sql
 STABLE
RETURN sha256(convert_to((ROW(ledger_party((s).debit), ledger_party((s).credit), (s).amount, (s).hold_id, (s).what, (s).cause, (s).cause_id, (s).note))::text, 'UTF8'::name));

CREATE OR REPLACE FUNCTION public.ledger_open(s ledger_step, happened_at timestamp with time zone)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_party(account_id bigint)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (account_id > 0) THEN account_id ELSE (account_id >> 6) END;

CREATE OR REPLACE FUNCTION public.ledger_pay(s ledger_step, happened_at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  update accounts set balance = balance - s.amount where id = s.debit and (id < 0 or balance - held >= s.amount);
  if not found then perform ledger_missing(s.debit, s.amount); end if;
  update accounts set balance = balance + s.amount where id = s.credit;
  insert into transfer_keys (key, asked) values (s.key, ledger_movement_digest(s));
  insert into transfers (at, debit_id, credit_id, amount, hold_id, cause_id, asset, what, cause, key, note)
  values (happened_at, s.debit, s.credit, s.amount, s.hold_id, s.cause_id, ledger_asset(s.debit), s.what, s.cause, s.key, s.note);
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_post(s ledger_step, happened_at timestamp with time zone)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_rebuild()
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_stepped(s ledger_step)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  earlier_at timestamptz := (select at from hold_step_keys where key = s.key);
  earlier hold_steps;
begin
  if earlier_at is null then return null; end if;
  select * into strict earlier from hold_steps where key = s.key and at = earlier_at;
  if earlier.asked <> ledger_asked(s) then raise exception 'key % names another step', s.key using errcode = 'DL900'; end if;
  return earlier.answer;
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_try_group(steps ledger_step[], happened_at timestamp with time zone)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'rows of % are never changed or deleted', tg_table_name using errcode = 'integrity_constraint_violation';
end $function$;
