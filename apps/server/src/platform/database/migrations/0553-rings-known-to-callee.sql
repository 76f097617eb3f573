-- Whether the callee learns of the ring. A page of the callee's history does not read the rings that ended too soon.
alter table invitations add column known_to_callee boolean not null default false;
update invitations set known_to_callee = not missed or reason not in ('cancelled', 'offline', 'matched_elsewhere')
  or closed_at - opened_at >= interval '5 s'
where state = 'closed';
drop index invitations_in_vain_of_guy;
drop index invitations_in_vain_of_girl;
create index invitations_in_vain_of_guy on invitations (guy_id, opened_at desc, pair_id desc)
  where state = 'closed' and (caller = 'guy' or known_to_callee);
create index invitations_in_vain_of_girl on invitations (girl_id, opened_at desc, pair_id desc)
  where state = 'closed' and (caller = 'girl' or known_to_callee);
