-- The facts of a message say how many free messages its sender has used on this day, so that the statement that takes one runs
-- only where one may be left. Of the neighbouring texts, the newest first, only those are read that masking looks at, and the
-- end of each. Lists are JSON, which the server reads faster than arrays. messenger_store
-- returns the counts that the events of a message carry.
drop function messenger_facts(bigint[], bigint[], text[], timestamptz, timestamptz);
create function messenger_facts(
  dialog_ids bigint[], sender_ids bigint[], random_ids text[], recent_since timestamptz, paid_since timestamptz,
  today date, neighbours_max integer, neighbour_characters integer
) returns table (
  n integer, sender_id bigint, receiver_id bigint, message_id bigint, writer text, premium_until timestamptz,
  is_gone boolean, is_blocked boolean, is_invited boolean, has_answer boolean, unanswered integer, girl_digests json,
  hidden_from_sender boolean, hidden_from_receiver boolean, earlier_id bigint, earlier_asked text, earlier_text text,
  earlier_time timestamptz, reward bigint, recent json, unanswered_paid json, free_used integer
) language plpgsql set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off as $$
#variable_conflict use_column
begin
  perform from dialogs d
    join unnest(dialog_ids, sender_ids) as asked (dialog_id, sender_id)
      on d.id = asked.dialog_id and asked.sender_id in (d.guy_id, d.girl_id)
    order by d.id for no key update of d;
  return query
    select asked.n::integer, asked.sender_id, r.interlocutor_id, nextval('message_ids'), r.writer, r.premium_until,
      r.is_gone, r.is_blocked, r.is_invited, r.has_answer, r.unanswered, case when r.writer = 'girl' then to_json(d.girl_digests) else '[]' end,
      own.hidden, other.hidden, earlier.id, earlier.asked, earlier.text,
      earlier.create_time, earlier.reward::bigint,
      to_json(array(select right(coalesce(
          (select original.text from message_originals original where original.message_id = last.id), last.text), neighbour_characters)
        from (select id, sender_id, type, text, create_time from messages
          where dialog_id = asked.dialog_id and removed_at is null order by id desc limit 40) last
        where last.sender_id = asked.sender_id and last.type = 'text' and last.create_time > recent_since
        order by last.id desc limit neighbours_max)),
      case when r.writer = 'girl' then to_json(array(select paid.id from unanswered_messages paid
        where paid.dialog_id = asked.dialog_id and paid.create_time > paid_since
        order by paid.create_time, paid.id limit 2)) else '[]' end,
      coalesce(free.used, 0)
    from unnest(dialog_ids, sender_ids, random_ids) with ordinality as asked (dialog_id, sender_id, random_id, n)
    join dialog_rights r on r.dialog_id = asked.dialog_id and r.user_id = asked.sender_id
    join dialogs d on d.id = asked.dialog_id
    join dialog_members own on own.dialog_id = asked.dialog_id and own.user_id = asked.sender_id
    join dialog_members other on other.dialog_id = asked.dialog_id and other.user_id = r.interlocutor_id
    left join free_messages free on free.user_id = asked.sender_id and free.day = today
    left join messages earlier on earlier.sender_id = asked.sender_id and earlier.random_id = asked.random_id;
end $$;


-- Moves dialogs to the front of both lists and counts their new messages, at most one of a dialog, for the users who have to
-- read them (null: no user has to). The dialogs are locked. The counts of the readers and of locked_ids are locked until the
-- transaction ends, so that no event carries an older count than one that was sent before it. Counters are written in the
-- order of the users, as everywhere.
drop function messenger_store(jsonb, integer, timestamptz);
drop function messenger_count(bigint[], bigint[], bigint[]);
create function messenger_count(
  message_ids bigint[], dialog_ids bigint[], reader_ids bigint[], locked_ids bigint[] default '{}'
) returns void language plpgsql
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off as $$
begin
  update dialog_members m
    set activity_id = sent.id, hidden = false, unread = unread + coalesce(m.user_id = sent.reader_id, false)::integer
    from unnest(message_ids, dialog_ids, reader_ids) as sent (id, dialog_id, reader_id)
    where m.dialog_id = sent.dialog_id;
  insert into unread_counts as counted (user_id, count)
    select user_id, sum(new) from (
      select reader_id, 1 from unnest(reader_ids) as reader_id where reader_id is not null
      union all
      select locked_id, 0 from unnest(locked_ids) as locked_id) as counts (user_id, new)
    group by user_id order by user_id
    on conflict (user_id) do update set count = counted.count + excluded.count;
end $$;

create function messenger_store(messages_sent jsonb, digests_max integer, sent_at timestamptz)
  returns table (message_id bigint, sender_id bigint, sender_unread integer, receiver_unread integer) language plpgsql
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off as $$
#variable_conflict use_column
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
  perform messenger_count(array_agg(id), array_agg(dialog_id), array_agg(receiver_id), array_agg(sender_id)) from unnest(sent);
  return query select s.id, s.sender_id, coalesce(own.count, 0), coalesce(other.count, 0)
    from unnest(sent) s
    left join unread_counts own on own.user_id = s.sender_id
    left join unread_counts other on other.user_id = s.receiver_id;
end $$;

comment on function messenger_facts(bigint[], bigint[], text[], timestamptz, timestamptz, date, integer, integer) is
  'The messages that are to be sent, as three lists of one length: dialog, sender, random_id. Texts since recent_since are neighbours, paid messages since paid_since can be answered; free_used is of the day today. recent is the ends of the sender''s last texts, the newest first: at most neighbours_max texts, and neighbour_characters of each. One row a message, numbered by n from 1 in the order of the lists; none for a dialog that is not the sender''s. Locks the dialogs until the transaction ends. reward is in units of the coin. No errors of its own.';
comment on function messenger_count(bigint[], bigint[], bigint[], bigint[]) is
  'Three lists of one length: message, dialog, reader (null: counts for no user); each dialog at most once. locked_ids: users whose count is locked, too: an event carries it. The dialogs are locked.';
comment on function messenger_store(jsonb, integer, timestamptz) is
  'messages_sent: an array of objects with the keys of sent_message, at most one of a dialog. digests_max: as many digests of a girl are kept. The dialogs are locked by messenger_facts. Returns the unread messages of both in all their dialogs, one row a message, in no order. Error unique_violation: the sender used the random_id before.';

-- Each message writes into every index of its row and of both views. Messages of a dialog are found by messages_shown; the first
-- dialog of a user that is left to erase by dialog_members_list, or by an index that has only hidden dialogs.
drop index messages_of_dialog;
drop index dialog_members_of;
create index dialog_members_hidden on dialog_members (user_id, dialog_id) where hidden and not erased;

-- The server would plan some of their statements again for each call, because the length of a list could make another plan better.
alter function messenger_facts(bigint[], bigint[], text[], timestamptz, timestamptz, date, integer, integer)
  set plan_cache_mode = force_generic_plan;
alter function messenger_count(bigint[], bigint[], bigint[], bigint[]) set plan_cache_mode = force_generic_plan;
alter function messenger_store(jsonb, integer, timestamptz) set plan_cache_mode = force_generic_plan;
