import type { Selectable } from 'kysely'
import type { Tx } from '../../core/app.ts'
import type { Tables } from '../../core/tables.gen.ts'

export type NoteRow = Selectable<Tables['person_notes']>

export function insertNote(
  tx: Tx,
  note: Pick<NoteRow, 'user_id' | 'author' | 'text'>,
): Promise<NoteRow> {
  return tx
    .insertInto('person_notes')
    .values({ ...note, at: tx.now })
    .returningAll()
    .executeTakeFirstOrThrow()
}
