/**
 * Demo: users for trying the product, in the demo installation only.
 *
 * Tables         cast_members (the demo users)
 * Does not know  how other users sign in
 * Invariants     outside the demo installation nothing of this module answers (DE1) · the demo users are created once (DE2)
 */
import { module } from '../../core/module.ts'
import { createDemoUsers } from './create-demo-users.ts'
import { demoSystemFields } from './queries.ts'
import { signIn } from './sign-in.ts'

export const demo = module('demo', {
  endpoints: { 'POST demo/sign-in': signIn },
  start: createDemoUsers,
  systemFields: demoSystemFields,
})
