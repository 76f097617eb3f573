import { randomUUID } from 'node:crypto'
import type { Ack } from '@duet/protocol'
import { WireRefused, type TestUser } from './test-user.ts'

/** Opens the dialog of these two, or finds the one that there is. */
export async function dialogBetween(opener: TestUser, other: TestUser): Promise<number> {
  try {
    return (await opener.act('MESSENGER_START_DIALOG', { interlocutor_id: other.id })).dialog_id
  } catch (error) {
    if (error instanceof WireRefused && error.refusal === 'dialog_exists')
      return error.additional.dialog_id as number
    throw error
  }
}

/** Sends a text under a random_id of its own. */
export function writeMessage(
  sender: TestUser,
  dialogId: number,
  message: string,
  random_id: string = randomUUID(),
): Promise<Ack<'MESSAGE'>> {
  return sender.act('MESSAGE', { dialogId, message, random_id })
}
