const LOOK_EVERY_MS = 100
/** The two ends of the scale, in decibels below full scale: a silent room, and speech close to the microphone. */
const SILENCE_DB = -60
const SPEECH_DB = -15

/**
 * For the device check, reports the loudness of a microphone, 0 to 1, ten times a second. Returns the function that
 * stops the reports and frees the audio device.
 */
export function watchLevel(track: MediaStreamTrack, onLevel: (level: number) => void): () => void {
  const context = new AudioContext()
  // Some browsers create the audio context suspended. A suspended context measures nothing.
  context.resume().catch(() => {})
  const analyser = context.createAnalyser()
  const source = context.createMediaStreamSource(new MediaStream([track]))
  source.connect(analyser)
  const samples = new Float32Array(analyser.fftSize)
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples)
    const power = samples.reduce((total, sample) => total + sample * sample, 0) / samples.length
    onLevel(computeLevel(power))
  }, LOOK_EVERY_MS)
  return () => {
    clearInterval(timer)
    source.disconnect()
    context.close().catch(() => {})
  }
}

/** People hear loudness by ratios, so the bar grows with decibels. */
function computeLevel(power: number): number {
  const decibels = power > 0 ? 10 * Math.log10(power) : SILENCE_DB
  return Math.min(1, Math.max(0, (decibels - SILENCE_DB) / (SPEECH_DB - SILENCE_DB)))
}
