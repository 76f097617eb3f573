/**
 * People: staff find a user and read what the platform knows about this user.
 *
 * Tables         person_notes
 * Does not know  how bans, penalties and refunds are imposed
 * Invariants     a look at a person or a dialog is in the audit log before anything is read, and a dialog has its reason (PD1)
 */
import { type EndpointsOf, module } from '../../core/module.ts'
import { personalTable } from '../../platform/personal-data/personal-data.ts'
import { personCard } from './card.ts'
import { devicesOfPerson, endLoginOfPerson } from './devices.ts'
import { callsPage, dialogsPage, openDialog } from './lists.ts'
import { exportMovements, movementsPage } from './movements.ts'
import { addNote, notesPage } from './notes.ts'
import { findCases } from './find-cases.ts'
import { findPeople } from './search.ts'
import { movementSource } from './sources.ts'

export const people = module('people', {
  endpoints: {
    'GET v2/manager/users': findPeople,
    'GET v2/manager/cases': findCases,
    'GET v2/manager/users/{id}': personCard,
    'GET v2/manager/users/{id}/calls': callsPage,
    'GET v2/manager/users/{id}/movements': movementsPage,
    'GET v2/manager/users/{id}/movements/export': exportMovements,
    'GET v2/manager/users/{id}/sources/{cause}/{cause_id}': movementSource,
    'GET v2/manager/users/{id}/devices': devicesOfPerson,
    'POST v2/manager/users/{id}/logins/{login_id}/end': endLoginOfPerson,
    'GET v2/manager/users/{id}/dialogs': dialogsPage,
    'POST v2/manager/users/{id}/dialogs/{partner}': openDialog,
    'GET v2/manager/users/{id}/notes': notesPage,
    'POST v2/manager/users/{id}/notes': addNote,
  } satisfies EndpointsOf<'people'>,
  personalData: {
    tables: [
      personalTable('person_notes', {
        users: ['user_id'],
        erasure: 'deleted',
        exported: { not: 'working notes of staff, which may name other people' },
      }),
    ],
  },
})
