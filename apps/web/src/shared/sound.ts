import type { Persistence } from '@duet/client'
import { createStore, useStore } from './observable-store.ts'

export type SoundName = 'found' | 'connected' | 'minute' | 'message' | 'gift' | 'ring' | 'calling'

const VOLUME = 0.5
/** The output is muted again after this time. */
const MUTE_AFTER_MS = 2000
const LATE_AFTER_MS = 500
const FADE_SECONDS = 0.02

/** Frequencies in Hz, each with its beginning and length in seconds. */
const TUNES: Record<SoundName, readonly (readonly [hertz: number, at: number, lasts: number])[]> = {
  found: [
    [523, 0, 0.16],
    [659, 0.13, 0.16],
    [784, 0.26, 0.34],
  ],
  connected: [
    [587, 0, 0.14],
    [880, 0.12, 0.3],
  ],
  minute: [[740, 0, 0.22]],
  message: [
    [988, 0, 0.08],
    [1319, 0.08, 0.16],
  ],
  ring: [
    [659, 0, 0.2],
    [784, 0.2, 0.2],
    [659, 0.55, 0.2],
    [784, 0.75, 0.3],
  ],
  calling: [[440, 0, 0.7]],
  gift: [
    [659, 0, 0.12],
    [831, 0.1, 0.12],
    [988, 0.2, 0.12],
    [1319, 0.3, 0.4],
  ],
}

let audio: { context: AudioContext; master: GainNode } | undefined
let persistence: Persistence | undefined
const soundsOff = createStore(false)
let remute: ReturnType<typeof setTimeout> | undefined

/** Sets where "sounds off" is stored. */
export function storeSoundSettingIn(store: Persistence): void {
  persistence = store
  soundsOff.set(store.get('sound_off') ?? false)
}

/** Whether the user turned the sounds off. Every control of the page shows the same value. */
export function useSoundsOff(): boolean {
  return useStore(soundsOff)
}

export function turnSounds(on: boolean): void {
  persistence?.set('sound_off', on ? undefined : true)
  soundsOff.set(!on)
}

/** Plays a short synthesised sound. Silent if sounds are off or the browser does not allow sounds yet. */
export function playSound(name: SoundName): void {
  if (soundsOff.getSnapshot() || typeof AudioContext === 'undefined') return
  audio ??= prepared()
  const { context, master } = audio
  if (context.state === 'running') return play(context, master, name)
  // Some browsers create the audio context suspended and start it a moment later. A sound that comes much later would
  // mean nothing.
  const askedAtMs = performance.now()
  const isInTime = () => performance.now() - askedAtMs < LATE_AFTER_MS
  context.resume().then(
    () => isInTime() && play(context, master, name),
    () => {},
  )
}

function play(context: AudioContext, master: GainNode, name: SoundName): void {
  master.gain.setValueAtTime(VOLUME, context.currentTime)
  clearTimeout(remute)
  remute = setTimeout(() => master.gain.setValueAtTime(0, context.currentTime), MUTE_AFTER_MS)
  for (const [hertz, at, lasts] of TUNES[name])
    tone(context, master, hertz, context.currentTime + at, lasts)
}

function prepared() {
  const context = new AudioContext()
  const master = context.createGain()
  master.gain.value = 0
  master.connect(context.destination)
  return { context, master }
}

function tone(
  context: AudioContext,
  master: GainNode,
  hertz: number,
  from: number,
  lasts: number,
): void {
  const voice = context.createOscillator()
  const shape = context.createGain()
  voice.type = 'sine'
  voice.frequency.value = hertz
  shape.gain.setValueAtTime(0, from)
  shape.gain.linearRampToValueAtTime(0.5, from + FADE_SECONDS)
  shape.gain.exponentialRampToValueAtTime(0.001, from + lasts)
  voice.connect(shape).connect(master)
  voice.start(from)
  voice.stop(from + lasts)
}
