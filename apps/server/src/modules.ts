import { blocks } from './modules/blocks/index.ts'
import { changes } from './modules/changes/index.ts'
import { demo } from './modules/demo/index.ts'
import { favourites } from './modules/favourites/index.ts'
import { identity } from './modules/identity/index.ts'
import { matching } from './modules/matching/index.ts'
import { presence } from './modules/presence/index.ts'
import { profile } from './modules/profile/index.ts'
import { settingsModule } from './modules/settings/index.ts'
import { storage } from './modules/storage/index.ts'
import { video } from './modules/video/index.ts'
import { wallet } from './modules/wallet/index.ts'
import type { Module } from './platform/module.ts'
import { systemModule } from './platform/system.ts'

/** Every module, in the order of dependence: one may know only those above it, facts are heard from top to bottom. */
export const modules: readonly Module[] = [
  systemModule,
  settingsModule,
  identity,
  wallet,
  changes,
  presence,
  blocks,
  storage,
  favourites,
  profile,
  matching,
  video,
  demo,
]
