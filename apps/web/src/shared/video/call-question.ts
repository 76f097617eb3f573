import type { AppServices } from '../app-services.tsx'

/** Whether the user may be asked now how this call was: it was bad, and nothing else was asked today. */
export async function mayAskAbout(
  { connection }: Pick<AppServices, 'connection'>,
  session_id: number,
): Promise<boolean> {
  return (await connection.http.post('quality/question', { session_id })).ask
}

/**
 * Sends the user's opinion of a call, from 1 (bad) to 5 (good). The first one is stored.
 * @throws when the collector does not take it
 */
export async function sendOpinion(
  { connection }: Pick<AppServices, 'connection'>,
  session_id: number,
  opinion: number,
): Promise<void> {
  const { monitoring } = (await connection.system()).features
  const { auth } = connection.getSnapshot()
  if (!monitoring.on || !auth) return
  const { id, ortc_token } = auth.user
  const response = await fetch(`${monitoring.url}webrtc-score`, {
    method: 'POST',
    headers: {
      'Content-Type': 'text/plain',
      'Public-Key': monitoring.key ?? '',
      'Peer-Token': ortc_token,
    },
    body: JSON.stringify({
      sessionId: session_id,
      peerId: id,
      timestamp: Date.now(),
      score: { opinion },
    }),
  })
  if (!response.ok) throw new Error(`The opinion was refused: ${response.status}`)
}
