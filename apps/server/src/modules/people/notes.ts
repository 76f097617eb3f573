import type { Answer, Body, PersonNote, Query } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Staff } from '../../core/viewer.ts'
import { wireTime } from '../../lib/clock.ts'
import { offsetAndLimit, paginate } from '../../lib/paging/pagination.ts'
import { refuse } from '../../lib/refusal.ts'
import { writeAudit } from '../audit/index.ts'
import { userById } from '../identity/index.ts'
import { requireOtherPerson } from '../staff/index.ts'
import { beginLook } from './begin-look.ts'
import { insertNote, type NoteRow } from './note-store.ts'

function shownNote({ note_id, text, author, at }: NoteRow): PersonNote {
  return { id: note_id, text, author, at: wireTime(at) }
}

/** GET v2/manager/users/{id}/notes. Refuses not_found, role_forbidden. */
export async function notesPage(
  app: App,
  staff: Staff,
  request: Query<'GET v2/manager/users/{id}/notes'>,
): Promise<Answer<'GET v2/manager/users/{id}/notes'>> {
  await beginLook(app, staff, request, 'notes')
  const { offset, limit } = offsetAndLimit(request)
  const rows = await app.db
    .selectFrom('person_notes')
    .selectAll()
    .where('user_id', '=', request.id)
    .orderBy('note_id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
  return paginate(request, rows.map(shownNote))
}

/** POST v2/manager/users/{id}/notes. Refuses not_found, role_forbidden. */
export function addNote(
  app: App,
  staff: Staff,
  {
    id,
    text,
  }: Query<'POST v2/manager/users/{id}/notes'> & Body<'POST v2/manager/users/{id}/notes'>,
  context: RequestContext,
): Promise<Answer<'POST v2/manager/users/{id}/notes'>> {
  return app.transact(async (tx) => {
    if (!(await userById(tx, id))) refuse('not_found')
    await requireOtherPerson(tx, staff, [id])
    const note = await insertNote(tx, { user_id: id, author: staff.email, text })
    await writeAudit(tx, { staff, act: 'note_add', user_id: id, facts: { note_id: note.note_id } })
    const answer = shownNote(note)
    return context.storeAnswer ? context.storeAnswer(tx, answer) : answer
  })
}
