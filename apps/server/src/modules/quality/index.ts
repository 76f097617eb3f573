/**
 * Quality: how calls were, as the pages of both sides report it. The collector has the form of an outside service.
 *
 * Tables         quality_sessions, quality_events, quality_reports, quality_questions, camera_failures
 * Does not know  how calls run: it reads from the calls when a call was and who its parties are
 * Invariants     a user reports only about own calls, within bounds (Q1) · no address is stored (Q2) · a side is summed up
 *                once (Q3) · a user is asked at most once a day (Q4)
 */
import { limits } from '@duet/protocol'
import { reporters } from '../../platform/http/find-sender.ts'
import { parseId } from '@duet/protocol/kernel/parse-id.ts'
import { CommandRefused } from '../../platform/operator/commands.ts'
import { type EndpointsOf, module } from '../../core/module.ts'
import { personalTable } from '../../platform/personal-data/personal-data.ts'
import { deleteRows, dropMonths } from '../../platform/retention/retention-rule.ts'
import { networkSource } from '../moderation/index.ts'
import { setting } from '../settings/index.ts'
import { askAboutCall } from './ask.ts'
import { openSession } from './collector/open-session.ts'
import { findReporter, projectKey } from './collector/peer.ts'
import {
  addDevice,
  connectionBatch,
  connectionEvent,
  deviceEvent,
  endSession,
  gumEvent,
  issueReport,
  scoreReport,
  statsReport,
  trackEvent,
} from './collector/reports.ts'
import { logCamera } from './log-camera.ts'
import { networks } from './network.ts'
import { diagnoseDay, scoresOfCall } from './queries.ts'
import { showCall } from './show-call.ts'
import { summariseCalls } from './summarise-calls.ts'

export const quality = module('quality', {
  endpoints: {
    'POST quality/question': askAboutCall,
    'POST log/camera': logCamera,
    'POST /quality/v1/session': openSession,
    'PUT /quality/v1/session': addDevice,
    'POST /quality/v1/close-session': endSession,
    'POST /quality/v1/device-event': deviceEvent,
    'POST /quality/v1/gum-event': gumEvent,
    'POST /quality/v1/rtc-connection': connectionEvent,
    'POST /quality/v1/rtc-connection-batch': connectionBatch,
    'POST /quality/v1/stats': statsReport,
    'POST /quality/v1/webrtc-issue': issueReport,
    'POST /quality/v1/webrtc-score': scoreReport,
    'POST /quality/v1/track': trackEvent,
    'PUT /quality/v1/track': trackEvent,
  } satisfies EndpointsOf<'quality'>,
  systemFields: async (app) => ({
    features: {
      monitoring: {
        on: true,
        url: '/quality/v1/',
        key: projectKey(app),
        stats_ms: limits.quality_stats_ms,
      },
    },
  }),
  provides: [reporters.provide(findReporter), networkSource.provide(networks)],
  callFigures: scoresOfCall,
  commands: {
    quality: {
      args: 'CALL_ID',
      summary: 'Shows how a call was for both sides: sums, issues, the network, and the timeline.',
      run: async (app, { words: [id] }) => {
        const sessionId = parseId(id ?? '')
        if (sessionId === undefined) throw new CommandRefused('A call is named by its id.')
        return showCall(app, sessionId)
      },
    },
  },
  jobs: {
    'quality summaries': {
      summary: 'Sums up the reports of calls that have ended.',
      cron: '* * * * *',
      run: summariseCalls,
    },
  },
  diagnosis: async (app) => ({
    quality: await diagnoseDay(app.db, app.clock.now().subtract({ hours: 24 })),
  }),
  retention: [
    dropMonths('quality_events', (context) => setting(context, 'session_log_days')),
    dropMonths('quality_reports', () => limits.quality_report_days),
    deleteRows('quality_sessions', 'began_at', (context) => setting(context, 'quality_days')),
    deleteRows('quality_questions', 'asked_on', () => 1),
    deleteRows('camera_failures', 'at', (context) => setting(context, 'session_log_days')),
  ],
  personalData: {
    tables: [
      personalTable('quality_sessions', {
        users: ['user_id'],
        erasure: 'deleted',
        exported: {
          of: ['user_id'],
          by: 'session_id',
          columns: ['session_id', 'began_at', 'device', 'summary', 'opinion'],
        },
      }),
      personalTable('quality_events', {
        users: ['user_id'],
        erasure: 'deleted',
        exported: { of: ['user_id'], by: 'event_id', columns: ['at', 'kind', 'name', 'details'] },
      }),
      personalTable('quality_reports', {
        users: ['user_id'],
        erasure: 'deleted',
        exported: { of: ['user_id'], by: 'report_id', columns: ['at', 'report'] },
      }),
      personalTable('quality_questions', {
        users: ['user_id'],
        erasure: 'deleted',
        exported: { not: 'the day of the last question about a call' },
      }),
      personalTable('camera_failures', {
        users: ['user_id'],
        erasure: 'deleted',
        exported: { of: ['user_id'], by: 'id', columns: ['at', 'labels', 'kinds', 'error'] },
      }),
    ],
  },
})
