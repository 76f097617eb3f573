import { isRefused, type ClientConnection } from '@duet/client'

/** The dialog with a user: the new dialog, or the dialog that exists. */
export async function dialogWith(
  connection: Pick<ClientConnection, 'act'>,
  interlocutor_id: number,
): Promise<number> {
  try {
    return (await connection.act('MESSENGER_START_DIALOG', { interlocutor_id })).dialog_id
  } catch (error) {
    const isKnown = isRefused(error, 'MESSENGER_START_DIALOG', 'dialog_exists')
    if (isKnown && typeof error.additional.dialog_id === 'number') return error.additional.dialog_id
    throw error
  }
}
