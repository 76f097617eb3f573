/**
 * Moderation: decisions of staff about users, and what staff see to decide.
 *
 * Tables         statements, statement_texts, removals, sanctions, penalties, penalty_pictures (encrypted), appeals, complaints, evidence_files and call_frames (encrypted, in the storage),
 *                frame_findings, missing_frames, findings, banned_faces, compared_portraits; frame_views and masked_text_views
 *                (looks of staff)
 * Does not know  what ends because of a ban: identity, presence, matchmaking and calls subscribe to `banned`; how contacts are
 *                masked: messenger and calls store the originals, and this module only reads them
 * Invariants     a banned user is refused everything but the own data, on every path and at once (MO1) · no other user sees or
 *                reaches a banned user (MO2) · every sanction has a statement that its user can read (MO3) · sealed
 *                evidence outlives every erasure and retention (MO4) · a frame counts once, where it was asked for (MO5) · only girls in public calls are sampled, and are warned first (MO6) · a look is recorded before it reads a text, and only texts
 *                that a look has shown are done
 */
import { sql } from 'kysely'
import { type ActionsOf, module } from '../../core/module.ts'
import { readModerationInfo } from '../../platform/dispatch/moderation-info.ts'
import { deleteRows } from '../../platform/retention/retention-rule.ts'
import { setting } from '../settings/index.ts'
import { frameReceiver } from '../media/index.ts'
import { commands as complaints } from './complaints/commands.ts'
import { openOnDesk } from './complaints/child-case.ts'
import { complain, panic } from './complaints/complain.ts'
import {
  complaintCase,
  complaintFrame,
  complaintPicture,
  complaintQueue,
  decideOnComplaint,
  raiseOnDesk,
} from './complaints/desk.ts'
import { caseUsers } from './case-users.ts'
import { countWaiting } from './complaints/desk-queries.ts'
import { passOnDesk } from './complaints/pass-on.ts'
import { ALARM, raiseAlarms, sendAlarm, waitingDiagnosis } from './alarms/waiting.ts'
import {
  DELETE_EVIDENCE,
  deleteEvidence,
  evidenceDiagnosis,
  purgeEvidence,
  MOVE_EVIDENCE,
  moveEvidence,
  moveWaiting,
  SEAL_PICTURES,
  sealPictures,
} from './complaints/evidence.ts'
import { commands as frames } from './frames/commands.ts'
import { deliverFrameDeletion, DELETE_FRAMES, exportFrames } from './frames/frame-files.ts'
import { eraseFrames, framesDiagnosis, purgeFrames } from './frames/kept-frames.ts'
import { receiveFrame } from './frames/receive-frame.ts'
import { beginSampling, recordMissing, stopSampling } from './frames/sampling.ts'
import { commands as maskedTexts } from './masked-texts/commands.ts'
import { countMasked, decideOnMasked, maskedCase, maskedQueue } from './masked-texts/desk.ts'
import { decideOnFindings, findingsCase, findingsFrame, findingsQueue } from './findings/desk.ts'
import { findFaceEvasions, NEW_PORTRAIT_DAYS } from './findings/face-evasions.ts'
import { forgetFaceIn, forgetFaces } from './findings/face-store.ts'
import { findEvasions, followPurchase } from './findings/find-evasions.ts'
import { countFoundUsers } from './findings/finding-queries.ts'
import { addFindings } from './findings/finding-store.ts'
import { personalData } from './personal-data.ts'
import { commands as sealed } from './sealed/commands.ts'
import { askExport, changeHold, exportFiles, sealedOne, sealedQueue } from './sealed/desk.ts'
import { followPicture } from './removals/follow-picture.ts'
import { removeByStaff } from './removals/remove-message.ts'
import { forbidByStaff } from './removals/forbid-gifts.ts'
import { removeText } from './removals/remove-text.ts'
import { commands as appeals } from './appeals/commands.ts'
import { commands as gifts } from './removals/commands.ts'
import { commands as penalties } from './penalties/commands.ts'
import { commands as sanctions } from './sanctions/commands.ts'
import { appealQueue, appealsPage, decideByStaff, sendAppeal } from './appeals/appeals.ts'
import { appealCase, appealFrame, appealPicture } from './appeals/appeal-case.ts'
import { countAppeals } from './appeals/appeal-store.ts'
import { keepScreenshot } from './penalties/penalty-picture.ts'
import { followEarning } from './penalties/impose-penalty.ts'
import {
  imposeByStaff,
  penaltiesPage,
  readAllPenalties,
  renderPenalties,
} from './penalties/penalty-pages.ts'
import { banByStaff } from './sanctions/desk.ts'
import { endIfBanned } from './sanctions/end-if-banned.ts'
import { sanctionProcess } from './sanctions/sanction-process.ts'
import { statementsForStaff } from './sanctions/staff-statements.ts'
import {
  moderationInfo,
  oneStatement,
  renderBanned,
  renderStatements,
  statementsPage,
} from './sanctions/statements.ts'
import { ownEvidence } from './sanctions/grounds.ts'
import { firstUnread } from './sanctions/sanction-store.ts'
import { stateAbsence } from './sanctions/state-absence.ts'
import { openWatched, wallPage, wallTile, watchedFrame } from './wall/wall.ts'
import { END_CALL, endStated, endWatched, warnInCall } from './wall/wall-acts.ts'
import { undoByStaff } from './sanctions/take-back.ts'
import { readOneStatement, warnByStaff } from './sanctions/warn.ts'

export const moderation = module('moderation', {
  actions: { TO_COMPLAIN: complain, PANIC: panic } satisfies ActionsOf<'moderation'>,
  commands: {
    ...maskedTexts,
    ...sanctions,
    ...complaints,
    ...frames,
    ...sealed,
    ...penalties,
    ...gifts,
    ...appeals,
  },
  endpoints: {
    'GET statements': statementsPage,
    'GET statements/{id}': oneStatement,
    'GET statements/{id}/evidence/{kind}': ownEvidence,
    'GET penalties': penaltiesPage,
    'POST v2/manager/penalty/screenshot': keepScreenshot,
    'POST v2/penalty/mark-all-as-read': readAllPenalties,
    'GET v2/manager/statements': statementsForStaff,
    'POST v2/manager/penalty/impose': imposeByStaff,
    'POST statements/{id}/read': readOneStatement,
    'POST v2/manager/warning/impose': warnByStaff,
    'POST v2/manager/text/remove': removeText,
    'POST v2/manager/messages/{id}/remove': removeByStaff,
    'POST v2/manager/gifts/forbid': forbidByStaff,
    'POST v2/manager/statements/{id}/undo': undoByStaff,
    'POST v2/manager/ban/impose': banByStaff,
    'GET appeals': appealsPage,
    'POST appeals': sendAppeal,
    'GET v2/manager/appeals': appealQueue,
    'GET v2/manager/appeals/{id}': appealCase,
    'GET v2/manager/appeals/{id}/picture': appealPicture,
    'GET v2/manager/appeals/{id}/frames/{frame}': appealFrame,
    'POST v2/manager/appeals/{id}/decide': decideByStaff,
    'GET v2/manager/complaints': complaintQueue,
    'GET v2/manager/complaints/{id}': complaintCase,
    'GET v2/manager/complaints/{id}/evidence/{kind}': complaintPicture,
    'GET v2/manager/complaints/{id}/frames/{frame}': complaintFrame,
    'POST v2/manager/complaints/{id}/decide': decideOnComplaint,
    'POST v2/manager/complaints/{id}/pass': passOnDesk,
    'POST v2/manager/complaints/{id}/raise': raiseOnDesk,
    'POST v2/manager/child-cases': openOnDesk,
    'GET v2/manager/masked': maskedQueue,
    'GET v2/manager/masked/{id}': maskedCase,
    'POST v2/manager/masked/{id}/decide': decideOnMasked,
    'GET v2/manager/findings': findingsQueue,
    'GET v2/manager/findings/{id}': findingsCase,
    'GET v2/manager/findings/{id}/frames/{frame}': findingsFrame,
    'POST v2/manager/findings/{id}/decide': decideOnFindings,
    'GET v2/manager/wall': wallPage,
    'GET v2/manager/wall/{id}/tile': wallTile,
    'POST v2/manager/wall/{id}/open': openWatched,
    'GET v2/manager/wall/{id}/frames/{frame}': watchedFrame,
    'POST v2/manager/wall/{id}/warn': warnInCall,
    'POST v2/manager/wall/{id}/end': endWatched,
    'GET v2/manager/sealed': sealedQueue,
    'GET v2/manager/sealed/{id}': sealedOne,
    'POST v2/manager/sealed/{id}/exports': askExport,
    'GET v2/manager/sealed/{id}/exports/{export_id}/files': exportFiles,
    'POST v2/manager/sealed/{id}/hold': changeHold,
  },
  caseUsers,
  waitingCases: async (db, role, context) => [
    ...(await countWaiting(db, role, context)),
    ...(await countAppeals(db, context)),
    await countMasked(db, role.now),
    await countFoundUsers(db, role, context),
  ],
  subscribers: {
    async call_opened(tx, opened) {
      await endIfBanned(tx, opened)
      beginSampling(tx)
    },
    call_closed: recordMissing,
    absence_recorded: stateAbsence,
    unbanned: (tx, { user_id }) => forgetFaces(tx, user_id),
    girl_earned: followEarning,
    async media_reviewed(tx, review) {
      await followPicture(tx, review)
      if (review.status === 'removed') await forgetFaceIn(tx, review.media_id)
    },
    finding_made: (tx, finding) => addFindings(tx, [finding]),
    purchase_paid: followPurchase,
    async purchase_returned(tx, { kind, user_id, order_id }) {
      if (kind === 'charged_back')
        await addFindings(tx, [
          { user_id, kind: 'chargeback', order_id, key: `chargeback:${order_id}` },
        ])
    },
  },
  provides: [readModerationInfo.provide(moderationInfo), frameReceiver.provide(receiveFrame)],
  outboxHandlers: {
    [SEAL_PICTURES]: sealPictures,
    [MOVE_EVIDENCE]: moveEvidence,
    [ALARM]: sendAlarm,
    [DELETE_EVIDENCE]: deleteEvidence,
    [DELETE_FRAMES]: deliverFrameDeletion,
    [END_CALL]: endStated,
  },
  async authFields(app, viewer) {
    const info = await moderationInfo(app, viewer)
    const unread = viewer.kind === 'member' ? await firstUnread(app.db, viewer.id) : null
    return {
      ...(info && { moderation_info: info }),
      ...(unread !== null && { unread_statement_id: unread }),
    }
  },
  renderChanges: {
    banned: renderBanned,
    penalty: renderPenalties,
    statement: renderStatements,
  },
  jobs: {
    'findings evasions': {
      summary:
        'Finds accounts that share a device, a passkey, a card, a payout address or a picture with a banned user, and girls who use the device of a guy.',
      cron: '*/10 * * * *',
      run: findEvasions,
    },
    'findings faces': {
      summary:
        'With the setting face_matching: compares new portraits with the faces of banned users. Without it: deletes all faces.',
      cron: '5-59/10 * * * *',
      run: findFaceEvasions,
    },
    'complaints warn': {
      summary:
        'Raises an alarm by mail, webhook and metric when a serious complaint waits for longer than 15 minutes.',
      cron: '* * * * *',
      run: raiseAlarms,
    },
    'evidence move': {
      summary: 'Moves evidence into the storage that was not moved in its first hour.',
      cron: '55 * * * *',
      run: moveWaiting,
    },
  },
  personalData: { tables: personalData, erase: eraseFrames, exportData: exportFrames },
  retention: [
    deleteRows('statement_texts', 'at', (context) => setting(context, 'kyc_record_days')),
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
    deleteRows('penalty_pictures', 'at', () => 1, sql<boolean>`statement_id is not null`),
    deleteRows('findings', 'at', (context) => setting(context, 'call_flag_days')),
    deleteRows('compared_portraits', 'at', () => NEW_PORTRAIT_DAYS),
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

export { tallyComplaints } from './complaints/desk-queries.ts'
export type { AlarmTimes, OverdueCases } from './alarms/alarm-store.ts'
export {
  type ComplainedPicture,
  type FilePicture,
  type PictureOfComplaint,
  type PictureReceipt,
  pictureReports,
} from './complaints/picture-reports.ts'
export { ALARM_EVERY_MINUTES, SERIOUS_MINUTES_MAX, tellBosses } from './alarms/waiting.ts'
export { findDecided } from './find-decided.ts'
export { networkSource, type NetworkSource } from './wall/network.ts'
