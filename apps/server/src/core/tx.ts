export type { Tx } from './app.ts'
export type { Db, Pool } from './db.ts'
