import type { FindingKind } from '@duet/protocol'
import type { DecisionReasons } from '../../shared/sanctions/decision-fields.tsx'
import { msg, type OfficeText } from '../../shared/texts.ts'

interface FindingNames {
  readonly title: OfficeText
  readonly text: OfficeText
  /** The broken rule, and the reason of a ban, if staff agree. */
  readonly reasons: DecisionReasons
}

const accounts: DecisionReasons = { rule: 'multiple_accounts', ban: 'multiple_accounts' }
const recording: DecisionReasons = { rule: 'bots_recordings', ban: 'video_material' }

export const findingNames: Readonly<Record<FindingKind, FindingNames>> = {
  nudity: {
    title: msg('office.finding.nudity'),
    text: msg('office.finding.nudity_text'),
    reasons: { rule: 'nudity_public', ban: 'nudity' },
  },
  absence: {
    title: msg('office.finding.absence'),
    text: msg('office.finding.absence_text'),
    reasons: { rule: 'absence', ban: 'absence' },
  },
  contradiction: {
    title: msg('office.finding.contradiction'),
    text: msg('office.finding.contradiction_text'),
    reasons: { rule: 'other', ban: 'other' },
  },
  never_reported: {
    title: msg('office.finding.never_reported'),
    text: msg('office.finding.never_reported_text'),
    reasons: recording,
  },
  chargeback: {
    title: msg('office.finding.chargeback'),
    text: msg('office.finding.chargeback_text'),
    reasons: { rule: 'other', ban: 'other' },
  },
  referral: {
    title: msg('office.finding.referral'),
    text: msg('office.finding.referral_text'),
    reasons: accounts,
  },
  linked: {
    title: msg('office.finding.linked'),
    text: msg('office.finding.linked_text'),
    reasons: accounts,
  },
  banned_device: {
    title: msg('office.finding.banned_device'),
    text: msg('office.finding.banned_device_text'),
    reasons: accounts,
  },
  banned_passkey: {
    title: msg('office.finding.banned_passkey'),
    text: msg('office.finding.banned_passkey_text'),
    reasons: accounts,
  },
  banned_instrument: {
    title: msg('office.finding.banned_instrument'),
    text: msg('office.finding.banned_instrument_text'),
    reasons: accounts,
  },
  banned_wallet: {
    title: msg('office.finding.banned_wallet'),
    text: msg('office.finding.banned_wallet_text'),
    reasons: accounts,
  },
  banned_picture: {
    title: msg('office.finding.banned_picture'),
    text: msg('office.finding.banned_picture_text'),
    reasons: accounts,
  },
  banned_face: {
    title: msg('office.finding.banned_face'),
    text: msg('office.finding.banned_face_text'),
    reasons: accounts,
  },
}
