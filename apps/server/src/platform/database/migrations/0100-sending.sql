-- Messages are sent in batches. The statements of a batch are functions, so that a connection parses and plans them once. A plan
-- that is made once knows neither how few rows a batch has nor how long a dialog is: the settings keep it on the indexes.

-- The facts that decide whether a user may write in a dialog: one row for each of the two. The rule is in the messenger's code.
create view dialog_rights as
  select d.id as dialog_id, side.user_id, side.interlocutor_id, d.guy_id, d.girl_id,
    case when side.user_id = d.guy_id then 'guy' else 'girl' end as writer,
    own.premium_until,
    own.erased_at is not null or other.erased_at is not null or other.deletion_asked_at is not null as is_gone,
    exists (select from blocks where owner_id = d.guy_id and blocked_id = d.girl_id
      union all select from blocks where owner_id = d.girl_id and blocked_id = d.guy_id) as is_blocked,
    d.girl_wrote or d.girl_liked as is_invited,
    d.guy_wrote as has_answer,
    d.girl_unanswered as unanswered,
    other.role as interlocutor_role
  from dialogs d
  cross join lateral (values (d.guy_id, d.girl_id), (d.girl_id, d.guy_id)) as side (user_id, interlocutor_id)
  join users own on own.id = side.user_id
  join users other on other.id = side.interlocutor_id;

-- Paid messages that the girl can still earn a reward for, if they are recent enough.
create view unanswered_messages as
  select id, dialog_id, create_time from messages where price > 0 and answered_by is null;

-- Locks the dialogs of these messages until the transaction ends, in the order of the ids, so that two batches never wait for
-- each other; then reads everything that decides the messages. Without a row for a message into a dialog that is not the
-- sender's: a dialog of others is never locked. The read is a statement of its own: it sees what was committed before the
-- locks were taken. Neighbouring texts are looked for among the last 40 messages, however long the dialog is.
create function messenger_facts(
  dialog_ids bigint[], sender_ids bigint[], random_ids text[], recent_since timestamptz, paid_since timestamptz
) returns table (
  n integer, sender_id bigint, receiver_id bigint, message_id bigint, writer text, premium_until timestamptz,
  is_gone boolean, is_blocked boolean, is_invited boolean, has_answer boolean, unanswered integer, girl_digests text[],
  hidden_from_sender boolean, hidden_from_receiver boolean, earlier_id bigint, earlier_asked text, earlier_text text,
  earlier_time timestamptz, reward bigint, recent text[], unanswered_paid bigint[]
) language plpgsql set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off as $$
#variable_conflict use_column
begin
  perform from dialogs d
    join unnest(dialog_ids, sender_ids) as asked (dialog_id, sender_id)
      on d.id = asked.dialog_id and asked.sender_id in (d.guy_id, d.girl_id)
    order by d.id for no key update of d;
  return query
    select asked.n::integer, asked.sender_id, r.interlocutor_id, nextval('message_ids'), r.writer, r.premium_until,
      r.is_gone, r.is_blocked, r.is_invited, r.has_answer, r.unanswered, d.girl_digests,
      own.hidden, other.hidden, earlier.id, earlier.asked, earlier.text,
      earlier.create_time, earlier.reward::bigint,
      array(select coalesce(original.text, last.text)
        from (select id, sender_id, type, text, create_time from messages
          where dialog_id = asked.dialog_id order by id desc limit 40) last
        left join message_originals original on original.message_id = last.id
        where last.sender_id = asked.sender_id and last.type = 'text' and last.create_time > recent_since
        order by last.id),
      case when r.writer = 'girl' then array(select paid.id from unanswered_messages paid
        where paid.dialog_id = asked.dialog_id and paid.create_time > paid_since
        order by paid.create_time, paid.id limit 2) else '{}' end
    from unnest(dialog_ids, sender_ids, random_ids) with ordinality as asked (dialog_id, sender_id, random_id, n)
    join dialog_rights r on r.dialog_id = asked.dialog_id and r.user_id = asked.sender_id
    join dialogs d on d.id = asked.dialog_id
    join dialog_members own on own.dialog_id = asked.dialog_id and own.user_id = asked.sender_id
    join dialog_members other on other.dialog_id = asked.dialog_id and other.user_id = r.interlocutor_id
    left join messages earlier on earlier.sender_id = asked.sender_id and earlier.random_id = asked.random_id;
end $$;

-- Moves dialogs to the front of both lists and counts their new messages, at most one of a dialog, for the users who have to
-- read them (null: no user has to). The dialogs are locked. Counters are written in the order of the users, as everywhere.
create function messenger_count(message_ids bigint[], dialog_ids bigint[], reader_ids bigint[]) returns void language plpgsql
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off as $$
begin
  update dialog_members m
    set activity_id = sent.id, hidden = false, unread = unread + coalesce(m.user_id = sent.reader_id, false)::integer
    from unnest(message_ids, dialog_ids, reader_ids) as sent (id, dialog_id, reader_id)
    where m.dialog_id = sent.dialog_id;
  insert into unread_counts as counted (user_id, count)
    select reader_id, count(*) from unnest(reader_ids) as reader_id where reader_id is not null
    group by reader_id order by reader_id
    on conflict (user_id) do update set count = counted.count + excluded.count;
end $$;

create type sent_message as (
  id bigint,
  dialog_id bigint,
  sender_id bigint,
  receiver_id bigint,
  is_girl boolean,
  type text,
  text text,
  original text,
  random_id text,
  asked text,
  price integer,
  reward bigint,
  answers bigint,
  digest text
);

-- Stores messages, at most one of a dialog, with the views, counters and rights that change by them. The dialogs are locked.
create function messenger_store(messages_sent jsonb, digests_max integer, sent_at timestamptz) returns void language plpgsql
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off as $$
declare
  sent sent_message[] := array(select s from jsonb_populate_recordset(null::sent_message, messages_sent) s);
begin
  insert into messages (id, dialog_id, sender_id, receiver_id, type, text, random_id, asked, create_time, price, reward)
    select id, dialog_id, sender_id, receiver_id, type, text, random_id, asked, sent_at, price, reward from unnest(sent);
  insert into message_originals (message_id, dialog_id, sender_id, text, at)
    select id, dialog_id, sender_id, original, sent_at from unnest(sent) where original is not null;
  update messages set answered_by = s.id from unnest(sent) s where messages.id = s.answers;
  update dialogs d set last_message_id = s.id,
      guy_wrote = guy_wrote or not s.is_girl,
      girl_wrote = girl_wrote or s.is_girl,
      girl_unanswered = case when s.is_girl then girl_unanswered + 1 else 0 end,
      girl_digests = case when s.is_girl then (s.digest || girl_digests)[:digests_max] else girl_digests end
    from unnest(sent) s where d.id = s.dialog_id;
  perform messenger_count(array_agg(id), array_agg(dialog_id), array_agg(receiver_id)) from unnest(sent);
end $$;
