import type { MediaFailure } from '@duet/call-engine'
import type { Monitoring } from '@duet/monitoring'
import type { AppServices } from '../../shared/app-services.tsx'
import type { VideoRuntime } from './runtime.ts'

/** The first seconds of a call belong to the picture. */
const BEGIN_AFTER_MS = 2000

type LoadMonitoring = () => Promise<{ Monitoring: typeof Monitoring }>
type MonitoredRuntime = Pick<VideoRuntime, 'engine' | 'media' | 'calls'>

/** A call whose quality is reported. Its steps run one after the other; none of them can disturb the call. */
interface MonitoredCall {
  readonly session_id: number
  session_guid: string | null
  monitoring: Monitoring | undefined
  isOver: boolean
}

/** Reports each call to the collector from its first picture to its end, and every camera that does not open. */
export function monitorCalls(
  { connection }: Pick<AppServices, 'connection'>,
  runtime: MonitoredRuntime,
  load: LoadMonitoring = () => import('@duet/monitoring'),
): void {
  const { engine, media } = runtime
  let monitored: MonitoredCall | undefined
  engine.subscribe(() => {
    const { phase, session_id } = engine.getSnapshot()
    if (monitored && monitored.session_id !== session_id) {
      monitored.isOver = true
      void monitored.monitoring?.close()
      monitored = undefined
    }
    if (phase !== 'connected' || session_id === null) return
    if (monitored) return addLink(monitored, runtime)
    const call: MonitoredCall = {
      session_id,
      session_guid: null,
      monitoring: undefined,
      isOver: false,
    }
    monitored = call
    setTimeout(() => void begin(connection, runtime, call, load).catch(() => {}), BEGIN_AFTER_MS)
  })
  let { failure, microphone } = media.getSnapshot()
  media.subscribe(() => {
    const now = media.getSnapshot()
    const { monitoring } = monitored ?? {}
    if (now.failure && now.failure !== failure) {
      reportFailure(connection, now.failure)
      monitoring?.addGumEvent({ error: now.failure.error })
    }
    if (now.microphone !== microphone && now.microphone === 'off') monitoring?.mute()
    if (now.microphone !== microphone && now.microphone === 'on') monitoring?.unmute()
    failure = now.failure
    microphone = now.microphone
  })
}

async function begin(
  connection: AppServices['connection'],
  runtime: MonitoredRuntime,
  call: MonitoredCall,
  load: LoadMonitoring,
): Promise<void> {
  if (call.isOver) return
  const { client_version: appVersion, features } = await connection.system()
  const { auth } = connection.getSnapshot()
  const { on, key: publicKey, url, stats_ms: getStatsInterval } = features.monitoring
  if (!on || publicKey === undefined || !auth) return
  const { Monitoring } = await load()
  if (call.isOver) return
  const peerToken = () => connection.getSnapshot().auth?.user.ortc_token
  const userId = auth.user.id
  const of = { publicKey, userId, url, appVersion, peerToken, getStatsInterval }
  call.monitoring = new Monitoring(of)
  const { camera, microphone, failure } = runtime.media.getSnapshot()
  const constraints = { video: camera !== 'off', audio: microphone !== 'off' }
  call.monitoring.addGumEvent(failure ? { constraints, error: failure.error } : { constraints })
  void call.monitoring.initialize({ sessionId: call.session_id })
  addLink(call, runtime)
}

/** A new `session_guid` means a new connection. */
function addLink(call: MonitoredCall, { engine, calls }: MonitoredRuntime): void {
  const { session_guid, connection: pc } = engine.getSnapshot()
  const partner = calls.getSnapshot().call?.session.user_interlocutor.id
  if (!call.monitoring || !pc || session_guid === null || session_guid === call.session_guid) return
  call.session_guid = session_guid
  const added = { pc, peerId: String(partner ?? 'partner'), connectionId: session_guid }
  call.monitoring.addConnection(added).catch(() => {})
}

function reportFailure(connection: AppServices['connection'], { error }: MediaFailure): void {
  void listDevices()
    .then((devices) =>
      connection.http.post('log/camera', {
        device: {
          labels: devices.map(({ label }) => label).filter(Boolean),
          kinds: devices.map(({ kind }) => kind),
          error,
        },
      }),
    )
    .catch(() => {})
}

const DEVICES_MAX = 20

async function listDevices(): Promise<MediaDeviceInfo[]> {
  const found = await navigator.mediaDevices?.enumerateDevices().catch(() => [])
  return (found ?? []).slice(0, DEVICES_MAX)
}
