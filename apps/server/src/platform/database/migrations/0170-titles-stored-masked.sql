-- Titles of before masking existed are stored as they were written, and masked at each read. Every later title is stored masked.
alter table gallery_items add column title_masked boolean not null default false;
alter table gallery_items alter column title_masked set default true;
