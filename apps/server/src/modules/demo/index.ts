/**
 * Demo: people to try everything with, in the demo installation only.
 *
 * Owns     cast_members
 * Ignores  how signing in works for everybody else
 * Laws     outside of the demo installation nothing of it answers (DE1) · the cast is made once (DE2)
 */
import type { App } from '../../core/app.ts'
import type { Viewer } from '../../core/viewer.ts'
import { module } from '../../core/module.ts'
import { castOf, raiseCast } from './cast.ts'
import { signIn } from './sign-in.ts'

export const demo = module('demo', {
  endpoints: { 'POST demo/sign-in': signIn },
  start: raiseCast,
  systemFields: describe,
})

async function describe(app: App, viewer: Viewer) {
  return app.config.demo
    ? { demo: { cast: await castOf(app, viewer.kind === 'none' ? null : viewer.id) } }
    : {}
}
