/**
 * Moderation: decisions of staff about users, and what staff see to decide.
 *
 * Tables         statements, sanctions, complaints, evidence_files and call_frames (encrypted, in the storage),
 *                evidence_drafts (files without their row yet), frame_findings, missing_frames; complaint_views, frame_views
 *                and masked_text_views (looks of staff)
 * Does not know  what ends because of a ban: identity, presence, matchmaking and calls subscribe to `banned`; how contacts are
 *                masked: messenger and calls store the originals, and this module only reads them
 * Invariants     a banned user is refused everything but the own data, on every path and at once (MO1) · no other user sees or
 *                reaches a banned user (MO2) · every sanction has a statement that its user can read (MO3) · sealed
 *                evidence outlives every erasure and retention (MO4) · a frame counts once, where it was asked for (MO5) · only girls in public calls are sampled, and are warned first (MO6) · a look is recorded before it reads a text, and only texts
 *                that a look has shown are done
 */
import { type ActionsOf, module } from '../../core/module.ts'
import { readModerationInfo } from '../../platform/dispatch/moderation-info.ts'
import { deleteRows } from '../../platform/retention/retention-rule.ts'
import { setting } from '../settings/index.ts'
import { frameReceiver } from '../media/index.ts'
import { commands as complaints } from './complaints/commands.ts'
import { complain, panic } from './complaints/complain.ts'
import { waitingDiagnosis, warnOfWaiting } from './complaints/waiting.ts'
import {
  DELETE_EVIDENCE,
  deleteEvidence,
  evidenceDiagnosis,
  purgeEvidence,
  SEAL_RECORD,
  sealRecord,
  sweepEvidence,
} from './complaints/evidence.ts'
import { commands as frames } from './frames/commands.ts'
import { deliverFrameDeletion, DELETE_FRAMES } from './frames/frame-files.ts'
import { eraseFrames, framesDiagnosis, purgeFrames } from './frames/kept-frames.ts'
import { receiveFrame } from './frames/receive-frame.ts'
import { beginSampling, recordMissing, stopSampling } from './frames/sampling.ts'
import { commands as maskedTexts } from './masked-texts/commands.ts'
import { personalData } from './personal-data.ts'
import { commands as sanctions } from './sanctions/commands.ts'
import { endIfBanned } from './sanctions/end-if-banned.ts'
import { sanctionProcess } from './sanctions/sanction-process.ts'
import {
  moderationInfo,
  oneStatement,
  renderBanned,
  statementsPage,
} from './sanctions/statements.ts'
import { stateAbsence } from './sanctions/state-absence.ts'

export const moderation = module('moderation', {
  actions: { TO_COMPLAIN: complain, PANIC: panic } satisfies ActionsOf<'moderation'>,
  commands: { ...maskedTexts, ...sanctions, ...complaints, ...frames },
  endpoints: { 'GET statements': statementsPage, 'GET statements/{id}': oneStatement },
  subscribers: {
    async call_opened(tx, opened) {
      await endIfBanned(tx, opened)
      beginSampling(tx)
    },
    call_closed: recordMissing,
    absence_recorded: stateAbsence,
  },
  provides: [readModerationInfo.provide(moderationInfo), frameReceiver.provide(receiveFrame)],
  outboxHandlers: {
    [SEAL_RECORD]: sealRecord,
    [DELETE_EVIDENCE]: deleteEvidence,
    [DELETE_FRAMES]: deliverFrameDeletion,
  },
  async authFields(app, viewer) {
    const info = await moderationInfo(app, viewer)
    return info ? { moderation_info: info } : {}
  },
  renderChanges: { banned: renderBanned },
  jobs: {
    'complaints warn': {
      summary: 'Logs an error while a serious complaint waits for longer than 15 minutes.',
      cron: '*/5 * * * *',
      run: warnOfWaiting,
    },
    'evidence sweep': {
      summary: 'Deletes the files of evidence that were stored without their row, an hour later.',
      cron: '55 * * * *',
      run: sweepEvidence,
    },
  },
  personalData: { tables: personalData, erase: eraseFrames },
  retention: [
    deleteRows('masked_text_views', 'at', (context) => setting(context, 'kyc_record_days')),
    {
      name: 'evidence_files: decided',
      keepDays: (context) => setting(context, 'frame_keep_hours') / 24,
      purge: purgeEvidence,
    },
    {
      name: 'call_frames: in no case',
      keepDays: (context) => setting(context, 'frame_keep_hours') / 24,
      purge: purgeFrames,
    },
    deleteRows('frame_findings', 'at', (context) => setting(context, 'call_flag_days')),
    deleteRows('missing_frames', 'at', (context) => setting(context, 'call_flag_days')),
    deleteRows('frame_views', 'at', (context) => setting(context, 'kyc_record_days')),
  ],
  diagnosis: async (app) => ({
    ...(await waitingDiagnosis(app.db, app.clock.now())),
    ...(await evidenceDiagnosis(app)),
    ...(await framesDiagnosis(app)),
  }),
  async start(app) {
    await sanctionProcess(app).start()
    return () => {
      stopSampling(app)
      return sanctionProcess(app).stop()
    }
  },
})
