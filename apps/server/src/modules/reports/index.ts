/**
 * Reports: the public forms, which need no account: content, an intimate picture of the reporter, letters of authorities; and
 * the intimate pictures that members complain of inside the product.
 *
 * Tables         reports, report_hashes, report_pictures
 * Does not know  how staff act on accounts; a reported account is banned by the module moderation
 * Invariants     copies of a reported intimate picture are hidden in the transaction of the report, removed within 48 hours,
 *                and not accepted again, unless a person let them stay (RP1) · a report is read with its secret only, of which the hash is stored (RP2) · a
 *                form that is sent again is one report, and a report is decided once (RP3)
 */
import { type EndpointsOf, module } from '../../core/module.ts'
import { impersonalTable, personalTable } from '../../platform/personal-data/personal-data.ts'
import { deleteRows } from '../../platform/retention/retention-rule.ts'
import { pictureReports } from '../moderation/index.ts'
import { setting } from '../settings/index.ts'
import { CHILD_ALARM, raiseChildAlarms, sendChildAlarm } from './child-alarm.ts'
import { commands } from './commands.ts'
import { upholdComplained } from './decide-report.ts'
import { eraseContacts } from './erase-contacts.ts'
import {
  reportAsAuthority,
  reportComplained,
  reportContent,
  reportIntimateImage,
} from './file-report.ts'
import { PICTURE_ALARM, raisePictureAlarms, sendPictureAlarm } from './picture-alarm.ts'
import { countWaiting } from './queries.ts'
import { letStay } from './picture-watch.ts'
import { watchReports } from './report-clock.ts'
import {
  caseUsers,
  decideAsStaff,
  listReports,
  showNumbers,
  showPicture,
  showReport,
  showState,
} from './show-report.ts'

export const reports = module('reports', {
  endpoints: {
    'POST reports/content': reportContent,
    'POST reports/intimate-image': reportIntimateImage,
    'POST reports/authority': reportAsAuthority,
    'POST reports/state': showState,
    'GET v2/manager/reports': listReports,
    'GET v2/manager/reports/{id}': showReport,
    'GET v2/manager/reports/{id}/pictures/{media_id}': showPicture,
    'POST v2/manager/reports/{id}/decide': decideAsStaff,
    'GET v2/manager/report-numbers': showNumbers,
  } satisfies EndpointsOf<'reports'>,
  commands,
  provides: [
    pictureReports.provide({ prepare: reportComplained, uphold: upholdComplained, letStay }),
  ],
  outboxHandlers: { [CHILD_ALARM]: sendChildAlarm, [PICTURE_ALARM]: sendPictureAlarm },
  waitingCases: countWaiting,
  caseUsers,
  jobs: {
    'reports watch': {
      summary:
        'Finds new copies of reported pictures, and removes those whose 48 hours end without a decision.',
      cron: '*/5 * * * *',
      run: watchReports,
    },
    'reports warn': {
      summary:
        'Raises an alarm by mail, webhook and metric when a report about a child waits for longer than 15 minutes.',
      cron: '* * * * *',
      run: raiseChildAlarms,
    },
    'reports shown': {
      summary:
        'Raises an alarm by mail, webhook and metric when a reported intimate picture is shown for longer than 30 minutes.',
      cron: '* * * * *',
      run: raisePictureAlarms,
    },
  },
  personalData: {
    tables: [
      personalTable('reports', {
        users: ['reporter_id'],
        erasure: 'cleared',
        why: 'a report and its decision are proven to authorities; without the contact of its reporter',
        exported: {
          of: ['reporter_id'],
          by: 'report_id',
          columns: [
            'receipt',
            'reason',
            'filed_at',
            'answer_until',
            'decision',
            'decided_at',
            'answer',
          ],
        },
      }),
      impersonalTable('report_hashes', 'hashes of pictures, which name no user'),
      impersonalTable('report_pictures', 'ids of uploads, whose rows name their owners'),
    ],
    erase: eraseContacts,
  },
  retention: [deleteRows('reports', 'decided_at', (context) => setting(context, 'report_days'))],
})
