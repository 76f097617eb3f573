import texts from '@duet/locales/en/office-wall.json'
import { addTexts } from '../../shared/texts.ts'

addTexts(texts)
