/**
 * Moderation: decisions of staff about users, and what staff see to decide.
 *
 * Tables         statements, sanctions, masked_text_views (looks of staff at texts as they were written)
 * Does not know  what ends because of a ban: identity, presence, matchmaking and calls subscribe to `banned`; how contacts are
 *                masked: messenger and calls store the originals, and this module only reads them
 * Invariants     a banned user is refused everything but the own data, on every path and at once (MO1) · no other user sees or
 *                reaches a banned user (MO2) · every sanction has a statement that its user can read (MO3) · a look is
 *                recorded before it reads a text, and only texts that a look has shown are done
 */
import { module } from '../../core/module.ts'
import { moderationInfoOf } from '../../platform/dispatch/moderation-info.ts'
import { deleteRows } from '../../platform/retention/retention-rule.ts'
import { setting } from '../settings/index.ts'
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

export const moderation = module('moderation', {
  commands: { ...maskedTexts, ...sanctions },
  endpoints: { 'GET statements': statementsPage, 'GET statements/{id}': oneStatement },
  subscribers: { call_opened: endIfBanned },
  provides: [moderationInfoOf.provide(moderationInfo)],
  async authFields(app, viewer) {
    const info = await moderationInfo(app, viewer)
    return info ? { moderation_info: info } : {}
  },
  renderChanges: { banned: renderBanned },
  personalData: { tables: personalData },
  retention: [
    deleteRows('masked_text_views', 'at', (context) => setting(context, 'kyc_record_days')),
  ],
  async start(app) {
    await sanctionProcess(app).start()
    return () => sanctionProcess(app).stop()
  },
})
