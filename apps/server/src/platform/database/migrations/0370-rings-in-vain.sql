-- The history of calls is read page after page, with the rings that came to no call. An accepted ring is in it as its call.
create index invitations_in_vain_of_guy on invitations (guy_id, opened_at desc, pair_id desc) where state = 'closed';
create index invitations_in_vain_of_girl on invitations (girl_id, opened_at desc, pair_id desc) where state = 'closed';
