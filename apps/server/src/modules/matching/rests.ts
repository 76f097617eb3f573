import type { App, UserId } from '../../context.ts'

/** Her break begins or ends; it survives a restart. */
export async function setBreak(app: App, user_id: UserId, on: boolean): Promise<void> {
  await app.db
    .insertInto('search_rests')
    .values({ user_id, on_break: on })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ on_break: on }))
    .execute()
}
