;;; komuz-mode.el --- Major mode for Komuz  -*- lexical-binding: t; -*-
;; SPDX-License-Identifier: Apache-2.0

;; Author: The Komuz Authors
;; Version: 1.0
;; Package-Requires: ((emacs "27.1"))
;; Keywords: languages

;;; Commentary:

;; Colours, indentation as `komuz fmt' has it, imenu, comments, and the
;; language server through Eglot or lsp-mode.  The ranking of a sketch is in
;; komuz-ranking.el.  README.md says how it is set up.

;;; Code:

(require 'cl-lib)
(require 'komuz-words)

(defgroup komuz nil
  "Komuz: thousands of candidate programs at once."
  :group 'languages
  :prefix "komuz-")

(defcustom komuz-command '("komuz" "lsp")
  "The language server and its arguments."
  :type '(repeat string))

(defconst komuz-indent-offset 4
  "How far a block stands in; `komuz fmt' knows no other number.")

(defface komuz-number-face '((t :inherit font-lock-constant-face))
  "Numbers, true and false.")
(defface komuz-constant-face '((t :inherit font-lock-constant-face))
  "Constants that need no `use'.")
(defface komuz-hole-face '((t :inherit font-lock-preprocessor-face))
  "Holes of a sketch.")

;;;; Colours

(defvar komuz-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 12" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?' "\"" table)
    (modify-syntax-entry ?\\ "\\" table)
    (dolist (mark '(?+ ?- ?* ?% ?& ?| ?^ ?! ?< ?> ?= ?? ?. ?:)) (modify-syntax-entry mark "." table))
    table)
  "Syntax table of `komuz-mode'.")

;; No string spans a line end.
(defun komuz--syntax-propertize (begin end)
  "Lets strings between BEGIN and END that nobody closes end on their line."
  (goto-char begin)
  (while (re-search-forward "//\\|[\"']" end t)
    (let ((quote (char-before)) (start (1- (point))))
      (cond
       ((eq quote ?/) (end-of-line))
       ((looking-at (format "\\(?:\\\\.\\|[^%c\\\\\n]\\)*%c" quote quote)) (goto-char (match-end 0)))
       (t
        (put-text-property start (1+ start) 'syntax-table (string-to-syntax "|"))
        (end-of-line)
        (when (eq (char-before) ?\\)
          (put-text-property (1- (point)) (point) 'syntax-table (string-to-syntax ".")))
        (unless (eobp)
          (put-text-property (point) (1+ (point)) 'syntax-table (string-to-syntax "|"))))))))

(defconst komuz--word "\\_<[a-z_][0-9A-Za-z_]*")
(defconst komuz--expression-goes-on
  (regexp-opt (append komuz-item-words komuz-statement-words komuz-values komuz-bound-words komuz-in-words) 'symbols)
  "A word that can only go on an expression, or that ends it.")

(defun komuz--matcher (pattern is-keyword)
  "A font-lock matcher of PATTERN at places where IS-KEYWORD holds.
IS-KEYWORD is called behind the word, with where the word begins."
  (lambda (limit)
    (let (found)
      (while (and (not found) (re-search-forward pattern limit t))
        (setq found (save-excursion (save-match-data (funcall is-keyword (match-beginning 0))))))
      found)))

(defun komuz--before-name-or-number (begin)
  "Is the word at BEGIN followed by a name or number, and no part of another value?"
  (and (not (eq (char-before begin) ?.))
       (looking-at "[ \t]+[0-9A-Za-z_]")
       (progn (skip-chars-forward " \t") (not (looking-at komuz--expression-goes-on)))))

(defun komuz--between-operands (begin)
  "Is the word at BEGIN between two operands?"
  (and (looking-at "[ \t]\\|$")
       (progn (goto-char begin) (skip-chars-backward " \t") (< (point) begin))
       (memq (char-syntax (char-before)) '(?w ?_ ?\) ?\" ?.))))

(defun komuz--match-number (limit)
  "A font-lock matcher of numbers, as the lexer takes them."
  (when (re-search-forward "\\_<[0-9]" limit t)
    (backward-char)
    ;; Behind a dot there are digits only: `pair.0.1' has no float in it.
    (looking-at (if (looking-back "[^.]\\." (max (point-min) (- (point) 2)))
                    "[0-9][0-9_]*"
                  "0[xXbBoO][0-9A-Za-z_]*\\|[0-9][0-9_]*\\(?:\\.[0-9][0-9_]*\\)?\\(?:[eE][-+]?[0-9]\\)?[0-9A-Za-z_]*"))
    (goto-char (match-end 0))))

(defun komuz--called (words)
  "A regular expression of one of WORDS that is called."
  (concat (regexp-opt words 'symbols) "[ \t]*("))

(defconst komuz-font-lock-keywords
  `((,(regexp-opt (append komuz-item-words komuz-statement-words) 'symbols) . font-lock-keyword-face)
    (,(komuz--matcher (regexp-opt (append komuz-bound-words komuz-naming-words) 'symbols) #'komuz--before-name-or-number)
     . font-lock-keyword-face)
    (,(komuz--matcher (regexp-opt komuz-claiming-words 'symbols) (lambda (_) (looking-at "[ \t]*\""))) . font-lock-keyword-face)
    (,(komuz--matcher (regexp-opt komuz-in-words 'symbols) #'komuz--between-operands) . font-lock-keyword-face)
    (,(regexp-opt komuz-values 'symbols) . 'komuz-number-face)
    (,(regexp-opt komuz-types 'symbols) . font-lock-type-face)
    (,(regexp-opt komuz-constants 'symbols) . 'komuz-constant-face)
    ("\\_<[A-Z][0-9A-Za-z_]*" . font-lock-type-face)
    (komuz--match-number . 'komuz-number-face)
    ("\\?\\(?:[A-Za-z_][0-9A-Za-z_]*\\)?" . 'komuz-hole-face)
    (,(concat "\\_<fn[ \t]+\\(" komuz--word "\\)") 1 font-lock-function-name-face)
    (,(komuz--called komuz-functions) 1 font-lock-builtin-face)
    (,(concat "\\." (komuz--called komuz-methods)) 1 font-lock-builtin-face)
    (,(concat "\\(" komuz--word "\\)[ \t]*(") 1 font-lock-function-name-face))
  "What `komuz-mode' colours; names are left to the language server.")

;;;; Indentation

(defconst komuz--item-start
  (concat "\\(?:" (regexp-opt komuz-item-words 'symbols) "\\|" (regexp-opt komuz-naming-words 'symbols) "[ \t]+[A-Za-z_]\\|"
          (regexp-opt komuz-claiming-words 'symbols) "[ \t]*\"\\)")
  "The start of an item, wherever it stands.")
(defconst komuz--infix
  (concat "\\(?:" (regexp-opt (cl-remove-if (lambda (mark) (member mark '("!" ":"))) komuz-operators)) "\\)")
  "An operator that stands between two operands, or a minus.")

(defun komuz--last-code ()
  "Goes behind the last code before this line; nil if there is none."
  (beginning-of-line)
  (forward-comment (- (point)))
  (not (bobp)))

(defun komuz--goes-on-p ()
  "Does the code of this line go on with what stands before it?"
  (let* ((starts (looking-at komuz--infix))
         (dot (looking-at "\\.[^.]"))
         (minus (looking-at "-")))
    (save-excursion
      (and (komuz--last-code)
           (not (memq (char-before) '(?\; ?, ?\{ ?\( ?\[)))
           (or (and starts (or (not (eq (char-before) ?\})) dot (not minus)))
               ;; An operator at the end of a line waits for its operand.
               (memq (char-before) '(?= ?> ?+ ?- ?* ?/ ?% ?& ?| ?^ ?<))
               (looking-back "[^:]:" (- (point) 2)))))))

(defun komuz--open-bracket ()
  "Where the innermost bracket is that is open before this line; nil: none is."
  (save-excursion (nth 1 (syntax-ppss (line-beginning-position)))))

(defun komuz--base ()
  "The indentation of what the innermost open bracket holds.
Then that of what goes on there: what goes on behind `(x' stands as far in
as what `(' at the end of a line holds."
  (let ((open (komuz--open-bracket)))
    (if (not open)
        (cons 0 komuz-indent-offset)
      (save-excursion
        (goto-char open)
        (let ((base (+ (current-indentation) komuz-indent-offset)))
          (forward-char)
          (cons base (if (looking-at "[ \t]*\\(?://\\|$\\)") (+ base komuz-indent-offset) base)))))))

(defun komuz-indentation ()
  "The column that `komuz fmt' starts this line at."
  (save-excursion
    (back-to-indentation)
    (cond
     ((looking-at "[])}]")
      (let ((open (komuz--open-bracket)))
        (if open (progn (goto-char open) (current-indentation)) 0)))
     ((looking-at komuz--item-start) 0)
     (t
      (let ((base (komuz--base)))
        ;; A comment stands where the code behind it does.
        (when (looking-at "//") (forward-comment (point-max)))
        (if (and (not (eobp)) (not (looking-at "[])}]")) (not (looking-at komuz--item-start)) (komuz--goes-on-p))
            (cdr base)
          (car base)))))))

(defun komuz-indent-line ()
  "Indents this line as `komuz fmt' does."
  (interactive)
  (let ((column (komuz-indentation)))
    (if (<= (current-column) (current-indentation))
        (indent-line-to column)
      (save-excursion (indent-line-to column)))))

;;;; The mode

(defconst komuz-imenu
  '((nil "^\\(?:pub[ \t]+\\)?fn[ \t]+\\([A-Za-z_][0-9A-Za-z_]*\\)" 1)
    ("Types" "^\\(?:pub[ \t]+\\)?type[ \t]+\\([A-Za-z_][0-9A-Za-z_]*\\)" 1)
    ("Constants" "^\\(?:pub[ \t]+\\)?const[ \t]+\\([A-Za-z_][0-9A-Za-z_]*\\)" 1)
    ("Spaces" "^space[ \t]+\\([A-Za-z_][0-9A-Za-z_]*\\)" 1)
    ("Tests" "^\\(?:test\\|prop\\)[ \t]*\"\\([^\"\n]*\\)\"" 1))
  "What the index lists.")

(defvar komuz-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-r") #'komuz-ranking)
    (define-key map (kbd "C-c C-f") #'komuz-fill)
    map)
  "Keys of `komuz-mode'.")
(autoload 'komuz-ranking "komuz-ranking" "Show the ranking of this sketch." t)
(autoload 'komuz-fill "komuz-ranking" "Fill this sketch." t)

;;;###autoload
(define-derived-mode komuz-mode prog-mode "Komuz"
  "Major mode for programs and sketches of Komuz."
  (setq-local comment-start "// ")
  (setq-local comment-start-skip "//+!?[ \t]*")
  (setq-local comment-end "")
  (setq-local parse-sexp-ignore-comments t)
  (setq-local syntax-propertize-function #'komuz--syntax-propertize)
  (setq-local font-lock-defaults '(komuz-font-lock-keywords))
  (setq-local indent-line-function #'komuz-indent-line)
  (setq-local indent-tabs-mode nil)
  (setq-local electric-indent-chars (append "{}()[].;" electric-indent-chars))
  (setq-local imenu-generic-expression komuz-imenu)
  (setq-local beginning-of-defun-function #'komuz-beginning-of-item)
  (setq-local fill-column 100))

(defun komuz-beginning-of-item (&optional count)
  "Goes to the start of the item here, or COUNT items back."
  (re-search-backward (concat "^" komuz--item-start) nil 'move (or count 1)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.komuz\\'" . komuz-mode))

;;;; The language server

;; The server says when it has ranked on.
(defconst komuz--wishes '(:komuz (:ranking t)))

(defvar eglot-server-programs)
(defvar lsp-language-id-configuration)
(declare-function lsp-register-client "lsp-mode")
(declare-function make-lsp-client "lsp-mode")
(declare-function lsp-stdio-connection "lsp-mode")
(declare-function komuz-ranking--changed "komuz-ranking")
(declare-function komuz--plist "komuz-ranking")

(with-eval-after-load 'eglot
  (require 'komuz-ranking)
  (add-to-list 'eglot-server-programs
               (cons 'komuz-mode (lambda (&rest _) (append komuz-command (list :initializationOptions komuz--wishes))))))

(with-eval-after-load 'lsp-mode
  (require 'komuz-ranking)
  (add-to-list 'lsp-language-id-configuration '(komuz-mode . "komuz"))
  (let ((handlers (make-hash-table :test 'equal)) (actions (make-hash-table :test 'equal)))
    (puthash "komuz/rankingChanged"
             (lambda (_workspace changed) (komuz-ranking--changed (plist-get (komuz--plist changed) :uri))) handlers)
    (puthash "komuz.showRanking" (lambda (_action) (komuz-ranking)) actions)
    (lsp-register-client
     (make-lsp-client :new-connection (lsp-stdio-connection (lambda () komuz-command))
                      :major-modes '(komuz-mode)
                      :initialization-options (lambda () komuz--wishes)
                      :notification-handlers handlers
                      :action-handlers actions
                      :server-id 'komuz))))

(provide 'komuz-mode)
;;; komuz-mode.el ends here
