-- Made by generate.ts from the migrations. Do not edit.

create sequence process_owner_ids;

create sequence user_ids;

create sequence video_session_ids;

create table absences (
  id integer not null generated always as identity,
  user_id integer not null,
  kind text not null,
  at timestamp with time zone not null,
  constraint absences_kind_check CHECK ((kind = ANY (ARRAY['missed_offers'::text, 'no_face'::text]))),
  constraint absences_pkey PRIMARY KEY (id),
  constraint absences_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX absences_of ON public.absences USING btree (user_id, at DESC);

create table accounts (
  id bigint not null,
  user_id integer generated always as (
CASE
    WHEN (id > 0) THEN ((id >> 3))::integer
    ELSE NULL::integer
END) stored,
  house text generated always as (
CASE
    WHEN (id < 0) THEN ledger_house(id)
    ELSE NULL::text
END) stored,
  asset text not null generated always as (ledger_asset(id)) stored,
  balance bigint not null default 0,
  held bigint not null default 0,
  constraint accounts_hold_covered CHECK (((held >= 0) AND ((held <= balance) OR (id < 0)))),
  constraint accounts_no_overdraft CHECK (((balance >= 0) OR (id < 0))),
  constraint accounts_pkey PRIMARY KEY (id),
  constraint accounts_somebodys CHECK ((num_nonnulls(user_id, house) = 1))
);
CREATE TRIGGER accounts_stay BEFORE DELETE OR TRUNCATE ON public.accounts FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

create table balance_notices (
  id integer not null generated always as identity,
  user_id integer not null,
  reason text not null,
  told_at timestamp with time zone not null,
  got_at timestamp with time zone,
  constraint balance_notices_pkey PRIMARY KEY (id)
);
CREATE INDEX balance_notices_waiting ON public.balance_notices USING btree (user_id) WHERE (got_at IS NULL);

create table blocks (
  owner_id integer not null,
  blocked_id integer not null,
  at timestamp with time zone not null,
  constraint blocks_check CHECK ((owner_id <> blocked_id)),
  constraint blocks_pkey PRIMARY KEY (owner_id, blocked_id),
  constraint blocks_blocked_id_fkey FOREIGN KEY (blocked_id) REFERENCES users(id),
  constraint blocks_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id)
);
CREATE INDEX blocks_of ON public.blocks USING btree (blocked_id, owner_id);

create table call_flags (
  id integer not null generated always as identity,
  session_id integer not null,
  user_id integer not null,
  about text not null,
  at timestamp with time zone not null,
  constraint call_flags_pkey PRIMARY KEY (id),
  constraint call_flags_session_id_fkey FOREIGN KEY (session_id) REFERENCES video_sessions(session_id),
  constraint call_flags_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table cast_members (
  name text not null,
  user_id integer not null,
  constraint cast_members_pkey PRIMARY KEY (name),
  constraint cast_members_user_id_key UNIQUE (user_id),
  constraint cast_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table change_heads (
  user_id integer not null,
  head integer not null,
  constraint change_heads_pkey PRIMARY KEY (user_id)
);

create table changes (
  user_id integer not null,
  change_id integer not null,
  event text not null,
  payload jsonb not null,
  at timestamp with time zone not null,
  constraint changes_pkey PRIMARY KEY (user_id, change_id)
);
CREATE INDEX changes_at ON public.changes USING brin (at);

create table email_probes (
  address text not null,
  day date not null,
  tries integer not null,
  constraint email_probes_pkey PRIMARY KEY (address, day)
);

create table favourites (
  id integer not null generated always as identity,
  owner_id integer not null,
  user_id integer not null,
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
  user_id integer not null,
  seconds integer not null,
  constraint free_quotas_pkey PRIMARY KEY (user_id),
  constraint free_quotas_seconds_check CHECK ((seconds >= 0)),
  constraint free_quotas_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table free_starts (
  guy_id integer not null,
  day date not null,
  girl_id integer not null,
  uses integer not null,
  constraint free_starts_pkey PRIMARY KEY (guy_id, day, girl_id),
  constraint free_starts_uses_check CHECK ((uses > 0)),
  constraint free_starts_girl_id_fkey FOREIGN KEY (girl_id) REFERENCES users(id),
  constraint free_starts_guy_id_fkey FOREIGN KEY (guy_id) REFERENCES users(id)
);

create table hold_steps (
  key text not null,
  hold_id integer not null,
  change bigint not null,
  asked jsonb not null,
  answer jsonb not null,
  at timestamp with time zone not null,
  constraint hold_steps_pkey PRIMARY KEY (key),
  constraint hold_steps_short CHECK ((length(key) <= 200))
);
CREATE TRIGGER hold_steps_stay BEFORE DELETE OR UPDATE OR TRUNCATE ON public.hold_steps FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

create table holds (
  id integer not null generated always as identity,
  account_id bigint not null,
  asset text not null,
  held bigint not null,
  posted bigint not null default 0,
  state text not null default 'open'::text,
  what text not null,
  cause text not null,
  cause_id integer,
  opened_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  constraint holds_amounts CHECK (((posted >= 0) AND (held >= 0) AND ((held > 0) = (state = 'open'::text)) AND ((posted = 0) OR (state <> 'voided'::text)))),
  constraint holds_pkey PRIMARY KEY (id),
  constraint holds_state CHECK ((state = ANY (ARRAY['open'::text, 'posted'::text, 'voided'::text])))
);
CREATE INDEX holds_open ON public.holds USING btree (account_id) WHERE (state = 'open'::text);
CREATE TRIGGER holds_close_once BEFORE UPDATE ON public.holds FOR EACH ROW EXECUTE FUNCTION ledger_hold_changes();
CREATE TRIGGER holds_stay BEFORE DELETE OR TRUNCATE ON public.holds FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

create table job_periods (
  job text not null,
  period text not null,
  done_at timestamp with time zone not null,
  constraint job_periods_pkey PRIMARY KEY (job, period)
);

create table logins (
  id integer not null generated always as identity,
  user_id integer not null,
  token_hash bytea not null,
  generation integer not null default 1,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint logins_pkey PRIMARY KEY (id),
  constraint logins_token_hash_key UNIQUE (token_hash),
  constraint logins_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX logins_of ON public.logins USING btree (user_id) WHERE (ended_at IS NULL);

create table media (
  id uuid not null,
  owner_id integer not null,
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
  guy_id integer not null,
  girl_id integer not null,
  at timestamp with time zone not null,
  constraint meetings_pkey PRIMARY KEY (guy_id, girl_id),
  constraint meetings_girl_id_fkey FOREIGN KEY (girl_id) REFERENCES users(id),
  constraint meetings_guy_id_fkey FOREIGN KEY (guy_id) REFERENCES users(id)
);
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
  last_error text,
  constraint outbox_pkey PRIMARY KEY (outbox_id)
);
CREATE INDEX outbox_done ON public.outbox USING btree (done_at) WHERE (done_at IS NOT NULL);
CREATE INDEX outbox_due ON public.outbox USING btree (due_at) WHERE (done_at IS NULL);
CREATE UNIQUE INDEX outbox_key ON public.outbox USING btree (kind, key);

create table pairs (
  pair_id uuid not null,
  kind text not null,
  guy_id integer not null,
  girl_id integer not null,
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

create table process_owners (
  owner_id integer not null,
  started_at timestamp with time zone not null,
  lease_until timestamp with time zone not null,
  constraint process_owners_pkey PRIMARY KEY (owner_id)
);

create table schema_migrations (
  number integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint schema_migrations_pkey PRIMARY KEY (number)
);

create table search_rests (
  user_id integer not null,
  on_break boolean not null default false,
  paused_until timestamp with time zone,
  missed_offers integer not null default 0,
  missed_out boolean not null default false,
  constraint search_rests_pkey PRIMARY KEY (user_id),
  constraint search_rests_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table session_logs (
  id bigint not null generated always as identity,
  session_id integer not null,
  user_id integer not null,
  level text not null,
  text text not null,
  at timestamp with time zone not null,
  constraint session_logs_pkey PRIMARY KEY (id),
  constraint session_logs_session_id_fkey FOREIGN KEY (session_id) REFERENCES video_sessions(session_id),
  constraint session_logs_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX session_logs_at ON public.session_logs USING brin (at);

create table session_texts (
  text_id integer not null generated always as identity,
  session_id integer not null,
  sender_id integer not null,
  id text not null,
  text text not null,
  original text,
  create_time timestamp with time zone not null,
  constraint session_texts_pkey PRIMARY KEY (text_id),
  constraint session_texts_session_id_sender_id_id_key UNIQUE (session_id, sender_id, id),
  constraint session_texts_sender_id_fkey FOREIGN KEY (sender_id) REFERENCES users(id),
  constraint session_texts_session_id_fkey FOREIGN KEY (session_id) REFERENCES video_sessions(session_id)
);

create table settings (
  key text not null,
  value jsonb not null,
  changed_at timestamp with time zone not null,
  changed_by text not null,
  constraint settings_pkey PRIMARY KEY (key)
);

create table transfers (
  id bigint not null generated always as identity,
  at timestamp with time zone not null,
  debit_id bigint not null,
  credit_id bigint not null,
  amount bigint not null,
  hold_id integer,
  cause_id integer,
  asset text not null,
  what text not null,
  cause text not null,
  key text not null,
  note text,
  constraint transfers_in_one_asset CHECK (((asset = ledger_asset(debit_id)) AND (asset = ledger_asset(credit_id)))),
  constraint transfers_move_something CHECK (((amount > 0) AND (ledger_party(debit_id) <> ledger_party(credit_id)))),
  constraint transfers_once UNIQUE (key),
  constraint transfers_pkey PRIMARY KEY (id),
  constraint transfers_short CHECK (((length(key) <= 200) AND (length(what) <= 40) AND (length(cause) <= 40) AND (length(note) <= 1000)))
);
CREATE TRIGGER transfers_stay BEFORE DELETE OR UPDATE OR TRUNCATE ON public.transfers FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

create table users (
  id integer not null,
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
  referred_by integer,
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
CREATE UNIQUE INDEX users_email ON public.users USING btree (lower(email)) WHERE (email IS NOT NULL);
CREATE INDEX users_guests ON public.users USING btree (created_at) WHERE ((role IS NULL) AND (erased_at IS NULL));

create table video_sessions (
  session_id integer not null,
  session_guid uuid not null,
  guy_id integer not null,
  girl_id integer not null,
  kind text not null,
  state text not null,
  status text not null,
  opened_at timestamp with time zone not null,
  connected_at timestamp with time zone,
  closed_at timestamp with time zone,
  reason text,
  price_public bigint not null,
  price_private bigint not null,
  earn_public bigint not null,
  earn_private bigint not null,
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
  hold_id integer,
  held_units bigint not null default 0,
  posted_his bigint not null default 0,
  posted_hers bigint not null default 0,
  money_step integer not null default 0,
  owner_id integer,
  fence integer not null default 1,
  version integer not null default 1,
  constraint video_sessions_check CHECK (((status = 'closed'::text) = ((closed_at IS NOT NULL) AND (reason IS NOT NULL)))),
  constraint video_sessions_earn_private_check CHECK ((earn_private >= 0)),
  constraint video_sessions_earn_public_check CHECK ((earn_public >= 0)),
  constraint video_sessions_kind_check CHECK ((kind = ANY (ARRAY['random'::text, 'direct'::text]))),
  constraint video_sessions_pkey PRIMARY KEY (session_id),
  constraint video_sessions_price_private_check CHECK ((price_private >= 0)),
  constraint video_sessions_price_public_check CHECK ((price_public >= 0)),
  constraint video_sessions_state_check CHECK ((state = ANY (ARRAY['public'::text, 'private'::text]))),
  constraint video_sessions_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'running'::text, 'closed'::text]))),
  constraint video_sessions_girl_id_fkey FOREIGN KEY (girl_id) REFERENCES users(id),
  constraint video_sessions_guy_id_fkey FOREIGN KEY (guy_id) REFERENCES users(id)
);
CREATE INDEX video_sessions_of_girl ON public.video_sessions USING btree (girl_id, session_id DESC);
CREATE INDEX video_sessions_of_guy ON public.video_sessions USING btree (guy_id, session_id DESC);
CREATE UNIQUE INDEX video_sessions_one_of_girl ON public.video_sessions USING btree (girl_id) WHERE (status <> 'closed'::text);
CREATE UNIQUE INDEX video_sessions_one_of_guy ON public.video_sessions USING btree (guy_id) WHERE (status <> 'closed'::text);

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
  -- Transactions that run side by side write different rows of a house account.
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
    -- Somebody else's key came between; the unique index made us wait for him.
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
$function$;

CREATE OR REPLACE FUNCTION public.ledger_doubtful(steps ledger_step[])
 RETURNS integer[]
 LANGUAGE sql
AS $function$
  select array_agg(distinct g) from (
    select g from unnest(steps) where op <> 'move'
    union all
    select s.g from unnest(steps) s join transfers using (key)
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
  before transfers;
begin
  select * into before from transfers where key = s.key;
  if not found then return false; end if;
  if (ledger_party(before.debit_id), ledger_party(before.credit_id), before.amount, before.hold_id, before.what, before.cause, before.cause_id, before.note)
    is distinct from (ledger_party(s.debit), ledger_party(s.credit), s.amount, s.hold_id, s.what, s.cause, s.cause_id, s.note) then
    raise exception 'key % names another movement', s.key using errcode = 'DL900';
  end if;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_open(s ledger_step, happened_at timestamp with time zone)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  affordable bigint := ledger_affordable(s.debit, s.amount, coalesce(s.unit, s.amount));
  opened integer;
  answer jsonb;
begin
  if affordable = 0 then perform ledger_missing(s.debit, coalesce(s.unit, s.amount)); end if;
  insert into holds (account_id, asset, held, what, cause, cause_id, opened_at)
  values (s.debit, ledger_asset(s.debit), affordable, s.what, s.cause, s.cause_id, happened_at)
  returning id into opened;
  update accounts set held = held + affordable where id = s.debit;
  answer := jsonb_build_object('hold_id', opened, 'posted', '0', 'held', affordable::text);
  insert into hold_steps values (s.key, opened, affordable, ledger_asked(s), answer, happened_at);
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
  insert into hold_steps values (s.key, hold.id, kept - hold.held, ledger_asked(s), answer, happened_at);
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

CREATE OR REPLACE FUNCTION public.ledger_refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'rows of % are never changed or deleted', tg_table_name using errcode = 'integrity_constraint_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_stepped(s ledger_step)
 RETURNS jsonb
 LANGUAGE plpgsql
AS $function$
declare
  before hold_steps;
begin
  select * into before from hold_steps where key = s.key;
  if found and before.asked <> ledger_asked(s) then
    raise exception 'key % names another step', s.key using errcode = 'DL900';
  end if;
  return before.answer;
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
      -- The same key was written beside us: now that it is committed we can see what it names.
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
