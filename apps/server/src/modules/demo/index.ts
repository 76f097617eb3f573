/**
 * Demo: users for trying the product, in the demo installation only.
 *
 * Tables         cast_members (the demo users); beside them the rows of dialogs of the past, in tables of the messenger
 * Does not know  how other users sign in
 * Invariants     outside the demo installation nothing of this module answers, and no demo user is signed in or writes (DE1) ·
 *                the demo users and their dialogs are created once (DE2) · a companion is a client like every other, and
 *                leaves to a visitor who signs in as the same user (DE3)
 */
import { module } from '../../core/module.ts'
import { landingVariant } from '../../platform/http/landing-variant.ts'
import { personalTable } from '../../platform/personal-data/personal-data.ts'
import { companionSource } from '../matchmaking/index.ts'
import { answerMessages, stopAnswers } from './answer-messages.ts'
import { companionFields, isPlayed, startCompanions } from './companions.ts'
import { createDemoDialogs } from './create-demo-dialogs.ts'
import { createDemoUsers } from './create-demo-users.ts'
import { endDemoLogins } from './end-demo-logins.ts'
import { demoSystemFields, fillDemoLanding } from './queries.ts'
import { signIn } from './sign-in.ts'

export const demo = module('demo', {
  endpoints: { 'POST demo/sign-in': signIn },
  subscribers: { messages_written: answerMessages },
  start: async (app) => {
    if (!app.config.demo) return endDemoLogins(app)
    await createDemoUsers(app)
    await createDemoDialogs(app)
    const stopCompanions = app.config.demo_companions ? startCompanions(app) : undefined
    return () => {
      stopAnswers(app)
      stopCompanions?.()
    }
  },
  systemFields: demoSystemFields,
  publicFields: companionFields,
  provides: [landingVariant.provide(fillDemoLanding), companionSource.provide(isPlayed)],
  personalData: {
    tables: [
      personalTable('cast_members', {
        users: ['user_id'],
        erasure: 'deleted',
        exported: { not: 'the demo’s own list of its users' },
      }),
    ],
  },
})
