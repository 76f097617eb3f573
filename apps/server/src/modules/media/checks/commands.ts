import { resolve } from 'node:path'
import type { OperatorCommand } from '../../../core/module.ts'
import { verdictNamed } from '../photo-verdict.ts'
import { banPicture, importHashes } from './known-pictures.ts'
import { lastChecks } from './queries.ts'

const LISTED_MAX = 100

export const pictureCommands: Readonly<Record<string, OperatorCommand>> = {
  'pictures ban': {
    args: 'MEDIA_ID [--reason R]',
    summary: 'Refuses the picture of an upload from all users from now on.',
    run: (app, { words: [id = ''], options: { reason = 'known_image' } }) =>
      banPicture(app, id, verdictNamed(reason)),
  },
  'pictures import': {
    args: 'FILE [--reason R] [--list NAME]',
    summary: 'Refuses the pictures of a list of PDQ hashes, one in each line.',
    run: (app, { words: [file = ''], options: { reason = 'known_image', list }, cwd }) =>
      importHashes(app, resolve(cwd, file), {
        reason: verdictNamed(reason),
        ...(typeof list === 'string' && { list }),
      }),
  },
  'pictures checks': {
    args: '',
    summary: `What the checks found in the last ${LISTED_MAX} uploads.`,
    run: (app) => lastChecks(app.db, LISTED_MAX),
  },
}
