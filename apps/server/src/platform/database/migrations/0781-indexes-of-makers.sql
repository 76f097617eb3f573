-- A deleted member of staff finds what refers to it by an index.
create index staff_links_made_by on staff_links (made_by) where made_by is not null;
create index staff_members_set_up_by on staff_members (set_up_by) where set_up_by is not null;
