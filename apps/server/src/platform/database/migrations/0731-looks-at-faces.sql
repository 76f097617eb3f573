-- The result for each picture: one face, none, many, a file that cannot be read, or a model that ended twice. Null: from before this column.
alter table banned_faces add column look text
  constraint banned_faces_look check (look in ('face', 'none', 'many', 'unreadable', 'failed'));
alter table compared_portraits add column look text
  constraint compared_portraits_look check (look in ('face', 'none', 'many', 'unreadable', 'failed'));
update banned_faces set look = 'face' where face is not null;
