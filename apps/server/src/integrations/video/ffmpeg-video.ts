import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSemaphore } from '../../lib/semaphore.ts'
import { sandboxed, sandboxMeans } from '../sandbox/sandbox.ts'
import {
  FRAME_EVERY_SECONDS,
  VIDEO_SECONDS_MAX,
  findVideoContainer,
  type ConvertedVideo,
  type ProbedVideo,
  type VideoConverter,
} from './video.ts'

const FFMPEG = '/usr/bin/ffmpeg'
const FFPROBE = '/usr/bin/ffprobe'
const MEGABYTE = 1024 * 1024
const LIMITS = { memory_bytes: 1024 * MEGABYTE, file_bytes: 100 * MEGABYTE, cpu_seconds: 240 }
const PROBE_LIMIT_MS = 20_000
const CONVERT_LIMIT_MS = 300_000
const FRAMES_LIMIT_MS = 60_000
const OUTPUT_MAX = 64 * 1024
const FOLDER_PREFIX = 'duet-video-'
const LEFT_FOLDER = /^duet-video-[A-Za-z0-9]{6}$/
/** Twice as long as a conversion may take. */
const LEFT_MS = 2 * CONVERT_LIMIT_MS
const PROBES = { at_once: 1, waiting_max: 20, waiting_owner_max: 2 }
const PIXELS_MAX = 4096 * 4096
const SIDE_PIXELS = 1280

/**
 * The demuxer is named, so that content cannot choose a demuxer that opens files or addresses, as playlists
 * do. Only files and pipes may be opened anyway. With `unshare` the program has no network.
 */
const INPUT_RULES = ['-protocol_whitelist', 'file,pipe']
const SCALE = `scale=w='min(${SIDE_PIXELS},iw)':h='min(${SIDE_PIXELS},ih)':force_original_aspect_ratio=decrease:force_divisible_by=2`
const FORM = [
  ...['-map', '0:v:0', '-map', '0:a:0?', '-sn', '-dn'],
  ...['-map_metadata', '-1', '-map_chapters', '-1'],
  ...['-t', String(VIDEO_SECONDS_MAX), '-vf', SCALE],
  ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '26', '-pix_fmt', 'yuv420p'],
  ...['-maxrate', '2500k', '-bufsize', '5000k', '-threads', '1'],
  ...['-c:a', 'aac', '-b:a', '96k', '-ac', '2'],
  ...['-fflags', '+bitexact', '-flags:v', '+bitexact', '-flags:a', '+bitexact'],
  ...['-movflags', '+faststart', '-f', 'mp4'],
]
const FRAMES_MAX = VIDEO_SECONDS_MAX / FRAME_EVERY_SECONDS
const FRAMES = [
  ...['-vf', `select=isnan(prev_selected_t)+gte(t-prev_selected_t\\,${FRAME_EVERY_SECONDS})`],
  ...['-fps_mode', 'vfr', '-frames:v', String(FRAMES_MAX), '-an'],
  ...['-c:v', 'mjpeg', '-q:v', '3', '-f', 'image2'],
]

/**
 * Runs ffmpeg with limits of memory, time and file size, at low priority. Not available if the program is
 * not installed, or if the limits are required and cannot be set.
 */
export function createFfmpegVideoConverter({ sandbox_required = false } = {}): VideoConverter {
  const probes = createSemaphore(PROBES)
  const installed = existsSync(FFMPEG) && existsSync(FFPROBE)
  const sandbox = sandboxMeans()
  void sweepVideoFolders(tmpdir(), Date.now()).catch(() => {})
  return {
    installed,
    sandbox,
    available: installed && (!sandbox_required || (sandbox.limits && sandbox.no_network)),
    seconds_max: VIDEO_SECONDS_MAX,
    isVideo: (bytes) => findVideoContainer(bytes) !== undefined,
    probe: async (bytes, owner_id) => probes.run(() => inFolder(bytes, probe), owner_id) ?? 'busy',
    convert: (bytes) => inFolder(bytes, convert),
  }
}

/** Deletes what a server left that was killed during a conversion. Another server may use a young folder. */
export async function sweepVideoFolders(parent: string, nowMs: number): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!LEFT_FOLDER.test(name)) continue
    const folder = join(parent, name)
    const { mtimeMs } = await stat(folder)
    if (nowMs - mtimeMs > LEFT_MS) await rm(folder, { recursive: true, force: true })
  }
}

interface InputFile {
  readonly folder: string
  readonly file: string
  readonly demuxer: string
}

/** Files of a user are in a folder of their own, which goes in any case. */
async function inFolder<Result>(
  bytes: Uint8Array,
  work: (input: InputFile) => Promise<Result | undefined>,
): Promise<Result | undefined> {
  const demuxer = findVideoContainer(bytes)
  if (demuxer === undefined) return undefined
  const folder = await mkdtemp(join(tmpdir(), FOLDER_PREFIX))
  try {
    const file = join(folder, 'upload')
    await writeFile(file, bytes)
    return await work({ folder, file, demuxer })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Probed {
  readonly streams?: readonly { codec_type?: string; width?: number; height?: number }[]
  readonly format?: { duration?: string }
}

async function probe({ file, demuxer, folder }: InputFile): Promise<ProbedVideo | undefined> {
  const shown = [
    '-select_streams',
    'v:0',
    '-show_entries',
    'stream=codec_type,width,height:format=duration',
    '-of',
    'json',
  ]
  const args = ['-v', 'error', ...INPUT_RULES, '-f', demuxer, ...shown, file]
  const output = await run(FFPROBE, args, folder, PROBE_LIMIT_MS)
  if (output === undefined) return undefined
  const { streams = [], format } = parseProbed(output)
  const { width = 0, height = 0 } = streams.find((one) => one.codec_type === 'video') ?? {}
  if (width < 2 || height < 2 || width * height > PIXELS_MAX) return undefined
  const seconds = Number(format?.duration)
  return { width, height, seconds: Number.isFinite(seconds) ? seconds : undefined }
}

/** Parses the output of ffprobe. Unreadable output belongs to no video. */
function parseProbed(output: string): Probed {
  try {
    return JSON.parse(output) as Probed
  } catch {
    return {}
  }
}

async function convert({ file, demuxer, folder }: InputFile): Promise<ConvertedVideo | undefined> {
  const video = join(folder, 'video.mp4')
  const quiet = ['-nostdin', '-hide_banner', '-loglevel', 'error', ...INPUT_RULES]
  const converting = [...quiet, '-f', demuxer, '-i', file, ...FORM, video]
  if ((await run(FFMPEG, converting, folder, CONVERT_LIMIT_MS)) === undefined) return undefined
  const choosing = [...quiet, '-f', 'mov', '-i', video, ...FRAMES, join(folder, 'frame-%02d.jpg')]
  if ((await run(FFMPEG, choosing, folder, FRAMES_LIMIT_MS)) === undefined) return undefined
  const names = (await readdir(folder)).filter((name) => name.startsWith('frame-')).toSorted()
  const frames = await Promise.all(names.map((name) => readFile(join(folder, name))))
  return { video: await readFile(video), frames }
}

/** The output of a program that ended well; undefined otherwise. */
function run(
  program: string,
  programArgs: readonly string[],
  folder: string,
  limitMs: number,
): Promise<string | undefined> {
  const { command, args } = sandboxed(LIMITS, program, programArgs)
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>()
  const child = spawn(command, args, {
    cwd: folder,
    env: {},
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: limitMs,
    killSignal: 'SIGKILL',
  })
  let output = ''
  child.stdout.on('data', (part: Buffer) => {
    if (output.length < OUTPUT_MAX) output += part.toString('utf8')
  })
  // The program did not start: nothing is known of the file.
  child.once('error', reject)
  child.once('close', (code) => resolve(code === 0 ? output : undefined))
  return promise
}
