import { formatDay, formatGradedScore, formatUptime } from '@touchstone/common';
import { GRADES, type Grade, type Recommendation } from '@touchstone/contract';
import {
  RECOMMENDATION_TEXT_COLOR,
  formatGrade,
  getGradeOutline,
  getGradeVariant,
  describeRecommendation,
  type GradeVariant,
} from '@touchstone/ui';
import type { ReactNode } from 'react';
import type { Snapshot } from '@touchstone/store';

/** Width and height of every picture, in pixels. Networks that show link previews recommend this size. */
export const PICTURE_SIZE = { width: 1200, height: 630 } as const;

/** Colors of the pictures, equal to the colors of the chart background in libs/ui/src/theme.css. */
const PICTURE_COLORS = {
  stone: '#1c2124',
  line: '#384045',
  ink: '#eef0eb',
  soft: '#aeb7b9',
  gold: '#dcb045',
} as const;

/**
 * Background and text color of each grade, as on the pages of the site. The contrast is at least 4.5:1.
 */
const GRADE_COLORS: Readonly<Record<Grade, { readonly plate: string; readonly text: string }>> = {
  A: { plate: '#dcb045', text: '#1b1404' },
  B: { plate: '#c2cacd', text: '#14181a' },
  C: { plate: '#c58256', text: '#1a0d05' },
  D: { plate: '#59636a', text: '#ffffff' },
  F: { plate: '#98321f', text: '#ffffff' },
  '?': { plate: '#f1f3f1', text: '#15191c' },
};

/**
 * Picture of an endpoint for link previews: its recommendation in its color, then smaller its grade, score, uptime and
 * URL, and the day of the snapshot.
 */
export function EndpointPicture({ content }: { readonly content: EndpointPictureContent }) {
  const { recommendation, resource, uptime, day } = content;
  return (
    <PictureFrame note={`Measured until ${day}`} color={describeRecommendation(recommendation).color}>
      <RecommendationBand content={content} />
      <div
        style={{
          display: 'flex',
          marginTop: 30,
          fontSize: resource.length > 60 ? 34 : 42,
          lineHeight: 1.25,
          wordBreak: 'break-all',
        }}
      >
        {resource}
      </div>
      <div style={{ display: 'flex', alignItems: 'center', marginTop: 26 }}>
        <GradePlate grade={content.grade} variant={content.gradeVariant} width={92} />
        <div style={{ display: 'flex', flexDirection: 'column', marginLeft: 30 }}>
          <div style={{ fontSize: 36 }}>{formatScoreLine(content)}</div>
          <div style={{ fontSize: 30, color: PICTURE_COLORS.soft }}>{uptime}</div>
        </div>
      </div>
    </PictureFrame>
  );
}

/** Recommendation with its icon on its color. */
function RecommendationBand({ content }: { readonly content: EndpointPictureContent }) {
  const { label, path, color } = describeRecommendation(content.recommendation);
  return (
    <div
      style={{
        display: 'flex',
        alignItems: 'center',
        padding: '14px 36px 18px',
        borderRadius: 6,
        backgroundColor: color,
        color: RECOMMENDATION_TEXT_COLOR,
      }}
    >
      <svg width="92" height="92" viewBox="0 0 16 16">
        <path
          d={path}
          fill="none"
          stroke={RECOMMENDATION_TEXT_COLOR}
          strokeWidth="1.75"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      <div style={{ marginLeft: 28, fontSize: 104, fontWeight: 700, lineHeight: 1.1 }}>{label}</div>
    </div>
  );
}

function formatScoreLine({ score, gradeName, gradeVariant }: EndpointPictureContent): string {
  if (score === null) return gradeName;
  return `${score} of 100, ${gradeName}${gradeVariant === 'hollow' ? ', provisional' : ''}`;
}

const LETTER_GRADES = GRADES.filter((grade) => grade !== '?');

/** Picture for link previews of all pages that are not about one endpoint. */
export function SitePicture() {
  return (
    <PictureFrame note="Trust scores for x402 endpoints">
      <div style={{ display: 'flex', fontSize: 76, fontWeight: 700, lineHeight: 1.12 }}>
        Check an x402 endpoint before you pay
      </div>
      <div style={{ display: 'flex', marginTop: 22, fontSize: 36, color: PICTURE_COLORS.soft }}>
        Uptime, latency, price and a grade from A to F
      </div>
      <div style={{ display: 'flex', marginTop: 40 }}>
        {LETTER_GRADES.map((grade) => (
          <div key={grade} style={{ display: 'flex', marginRight: 34 }}>
            <GradePlate grade={grade} width={96} />
          </div>
        ))}
      </div>
    </PictureFrame>
  );
}

/** Frame of every picture: the background, a colored edge at the top, the content, and the name of the site. */
function PictureFrame({
  note,
  color = PICTURE_COLORS.gold,
  children,
}: {
  readonly note: string;
  readonly color?: string;
  readonly children: ReactNode;
}) {
  return (
    <div
      style={{
        display: 'flex',
        flexDirection: 'column',
        width: '100%',
        height: '100%',
        padding: '56px 64px 44px',
        borderTop: `14px solid ${color}`,
        backgroundColor: PICTURE_COLORS.stone,
        color: PICTURE_COLORS.ink,
        fontFamily: 'Besley',
      }}
    >
      <div style={{ display: 'flex', flexDirection: 'column', flexGrow: 1 }}>{children}</div>
      <div
        style={{
          display: 'flex',
          alignItems: 'center',
          justifyContent: 'space-between',
          paddingTop: 26,
          borderTop: `2px solid ${PICTURE_COLORS.line}`,
          fontSize: 30,
        }}
      >
        <div style={{ display: 'flex', alignItems: 'center', fontSize: 38, fontWeight: 700 }}>
          <Stone />
          <div style={{ marginLeft: 18 }}>Touchstone</div>
        </div>
        <div style={{ color: PICTURE_COLORS.soft }}>{note}</div>
      </div>
    </div>
  );
}

/** Logo of the site (`Logo` in libs/ui/src/frame/page-frame.tsx) with fixed colors. */
function Stone() {
  return (
    <svg width="60" height="60" viewBox="0 0 32 32">
      <path d="M7 2h18l5 5v18l-5 5H7l-5-5V7z" fill="#07090a" stroke={PICTURE_COLORS.line} strokeWidth="1.5" />
      <path d="M6.5 20.6 24.8 8.4l1.5 2.5L8.2 23.4z" fill={PICTURE_COLORS.gold} />
      <path d="M10.4 24.6 26 14l.7 1.2-15.4 10.6z" fill={PICTURE_COLORS.gold} opacity="0.55" />
    </svg>
  );
}

/** Colors of the mark of a grade that must not look like praise. */
const UNCOLORED = {
  hollow: { plate: PICTURE_COLORS.stone, text: PICTURE_COLORS.ink },
  muted: { plate: PICTURE_COLORS.line, text: PICTURE_COLORS.soft },
} as const;

/** Mark of a grade: a shape with the color and the letter of the grade. */
function GradePlate({
  grade,
  variant = 'solid',
  width,
}: {
  readonly grade: Grade;
  readonly variant?: GradeVariant;
  readonly width: number;
}) {
  const { plate, text } = variant === 'solid' ? GRADE_COLORS[grade] : UNCOLORED[variant];
  const height = Math.round((width * 56) / 48);
  return (
    <div
      style={{
        display: 'flex',
        position: 'relative',
        alignItems: 'center',
        justifyContent: 'center',
        width,
        height,
        flexShrink: 0,
      }}
    >
      <svg
        width={width}
        height={height}
        viewBox="0 0 48 56"
        style={{ position: 'absolute', top: 0, left: 0 }}
      >
        <path d={getGradeOutline(grade)} fill={plate} stroke={PICTURE_COLORS.ink} strokeWidth="1" />
      </svg>
      <div
        style={{
          display: 'flex',
          fontSize: Math.round(width * 0.64),
          fontWeight: 700,
          lineHeight: 1,
          marginBottom: Math.round(width * 0.1),
          color: text,
        }}
      >
        {grade}
      </div>
    </div>
  );
}

/** Maximum length of the URL on a picture, in characters. */
const MAX_RESOURCE_LENGTH = 110;

/** Everything that the picture of an endpoint shows. Pictures with equal content are equal. */
export interface EndpointPictureContent {
  readonly grade: Grade;
  /** Accessible name of the grade, for example "Grade A" or "Ungraded". */
  readonly gradeName: string;
  readonly gradeVariant: GradeVariant;
  /** Null without a grade. */
  readonly score: string | null;
  readonly recommendation: Recommendation;
  /** URL without `https://`, in printable ASCII and shortened. */
  readonly resource: string;
  readonly uptime: string;
  /** Day of the snapshot, `YYYY-MM-DD`. */
  readonly day: string;
}

/** Selects the content of the picture of an endpoint from its snapshot. */
export function createPictureContent(snapshot: Snapshot): EndpointPictureContent {
  const { grade, recommendation, resource, computedAt } = snapshot;
  const uptime = formatUptime(snapshot);
  return {
    grade,
    gradeName: formatGrade(grade),
    gradeVariant: getGradeVariant(snapshot),
    score: formatGradedScore(snapshot),
    recommendation,
    resource: toDrawableText(resource.replace(/^https:\/\//, ''), MAX_RESOURCE_LENGTH),
    uptime: uptime === null ? 'Uptime not measured' : `Uptime, 30 days: ${uptime}`,
    day: formatDay(computedAt),
  };
}

/**
 * Converts untrusted text to printable ASCII of at most `maxLength` characters. For any other character, the library that
 * draws the picture would request a font or an emoji from another server.
 */
export function toDrawableText(text: string, maxLength: number): string {
  const ascii = text.replace(/[^\x20-\x7e]/gu, '?');
  return ascii.length > maxLength ? `${ascii.slice(0, maxLength - 3)}...` : ascii;
}
